// The range of the bound is one larger than claimed, from the seventh round on.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  int hi = 1;
  for (int i = 0; i < n; i++) {
    int lo = 0;
    while (lo < hi) {
      heddle_invariant(hi <= 6);   // ~ HD0601
      if (in[lo] > 3) lo += 1; else lo += 2;
    }
    hi = hi < 7 ? hi + 1 : 1;
    out[threadIdx.x] = lo;
  }
}
