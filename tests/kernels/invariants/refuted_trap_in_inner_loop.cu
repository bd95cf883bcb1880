// The inner loop ends by a trap alone: a claim after it does not say that it is left.
// launch: grid=1 block=64 passes=assertions
#include "heddle.h"
__global__ void k(int *out, const int *in, int n, int m) {
  unsigned a = 4;
  for (int i = 0; i < m; i++) {
    while (n > 0) {
      out[threadIdx.x] = threadIdx.x;
      a = in[a & 63];
      if (a == 17) __trap();  // ~ HD0601
    }
    if (a != 4) heddle_invariant(a != 4);
  }
}
