// The third round of the outer loop breaks both.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  int x = 0;
  for (int i = 0; i < n; i++) {
    heddle_invariant(x % 4 == 0);     // ~ HD0601
    for (int j = 0; j < n; j++) {
      heddle_invariant(x % 4 == 0);   // ~ HD0601
      if (in[j] > 0) x = x + 4 > 1000 ? 0 : x + 4;
    }
    if (i == 2) x++;
  }
  heddle_assert(x % 4 == 0);          // ~ HD0601
  out[threadIdx.x] = x;
}
