// Rows are apart because each launch has a pitch of at least the width.
// launch: grid=4 block=32
#include "heddle.h"
__global__ void k(float *out, int pitch) {
  heddle_requires(pitch >= 32 && pitch < 100000);
  out[blockIdx.x * pitch + threadIdx.x] = threadIdx.x;
}
