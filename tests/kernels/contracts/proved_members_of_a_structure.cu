// Members of a structure passed by value are arguments.
// launch: grid=2 block=32
#include "heddle.h"
struct Shape { int width, pitch; };
__global__ void k(int *out, Shape s) {
  heddle_requires(0 <= s.width && s.width <= 32 && s.pitch >= s.width && s.pitch < 1000);
  if (threadIdx.x < s.width)
    out[blockIdx.x * s.pitch + threadIdx.x] = threadIdx.x;
}
