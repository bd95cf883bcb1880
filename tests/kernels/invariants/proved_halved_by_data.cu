// A stride that is halved where the data say so stays a power of two.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  unsigned stride = 64;
  for (int i = 0; i < n; i++) {
    heddle_invariant(stride != 0 && (stride & (stride - 1)) == 0);
    if (in[i] > 3 && stride > 1) stride >>= 1;
  }
  out[threadIdx.x] = stride;
}
