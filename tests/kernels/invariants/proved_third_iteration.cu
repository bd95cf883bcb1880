// There is no third iteration.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out) {
  int h = 0;
  for (int i = 0; i < 2; i++) {
    heddle_invariant(h < 2);
    h = h * h + 1;
    out[threadIdx.x] = h;
  }
}
