// What is claimed fails in each launch that is kept: the product always wraps around.
// launch: grid=1 block=64 passes=assertions
#include "heddle.h"
__global__ void k(int *out, const int *in, unsigned n) {
  heddle_requires(n == 0x40000000u);
  for (int i = 0; i < 3; i++) {
    heddle_invariant(n * 4u != 0u);  // ~ HD0601
    out[threadIdx.x] = in[i];
  }
}
