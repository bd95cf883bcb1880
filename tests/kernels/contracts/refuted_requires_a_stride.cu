// The pitch that each launch keeps is one too few: the last of a row is the first of the next.
// launch: grid=4 block=32
#include "heddle.h"
__global__ void k(float *out, int pitch) {
  heddle_requires(pitch >= 31 && pitch < 100000);
  out[blockIdx.x * pitch + threadIdx.x] = threadIdx.x;   // ~ HD0102
}
