// The wrong member is compared.
// launch: grid=2 block=32
#include "heddle.h"
struct Shape { int width, pitch; };
__global__ void k(int *out, Shape s) {
  heddle_requires(s.width <= 32 && s.pitch >= 1 && s.pitch < 1000);
  if (threadIdx.x < s.width)
    out[blockIdx.x * s.pitch + threadIdx.x] = threadIdx.x;   // ~ HD0102
}
