// A product in a condition wraps around as on the machine.
// launch: grid=1 block=32
#include "heddle.h"
__global__ void k(int *out, unsigned n) {
  heddle_assert(n == 0 || n * 4 != 0);   // ~ HD0601
  out[threadIdx.x] = n;
}
