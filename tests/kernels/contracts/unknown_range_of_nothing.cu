// No number lies in the range: with that, anything could be proved.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(float *out, const int *idx, int n) {
  heddle_range(idx, n, 5, 5);   // ~ HD0901
  out[0] = threadIdx.x;
}
