// Who breaks the invariant returns, and is in no later iteration.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  int x = 0;
  for (int i = 0; i < n; i++) {
    heddle_invariant(0 <= x && x < 64);
    x += in[i];
    if (x < 0 || x >= 64) return;
    out[threadIdx.x] = x;
  }
  heddle_assert(x < 64);
}
