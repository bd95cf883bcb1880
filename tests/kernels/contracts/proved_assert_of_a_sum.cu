// The launch keeps the number small enough for the sum.
// launch: grid=1 block=32
#include "heddle.h"
__global__ void k(int *out, int n) {
  heddle_requires(n < 1000);
  heddle_assert(n + 1 > n);
  out[threadIdx.x] = n;
}
