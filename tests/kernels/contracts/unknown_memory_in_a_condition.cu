// A condition reads memory that no program reads there: its value is not known, and nobody races with it.
// launch: grid=1 block=32
#include "heddle.h"
__global__ void k(int *out) {
  heddle_assert(out[0] == out[0]);   // ~ HD0002
  out[threadIdx.x] = threadIdx.x;
}
