// A product in a condition does not wrap around for the sizes that are required.
// launch: grid=1 block=32
#include "heddle.h"
__global__ void k(int *out, unsigned n) {
  heddle_requires(n < 1u << 30);
  heddle_assert(n == 0 || n * 4 != 0);
  out[threadIdx.x] = n;
}
