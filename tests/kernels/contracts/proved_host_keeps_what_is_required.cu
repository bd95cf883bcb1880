// The host's launch keeps what the kernel requires.
// launch: as-launched
#include "heddle.h"
__global__ void k(int *out, int n) {
  heddle_requires(n % 4 == 0);
  heddle_assert(n % 2 == 0);
  out[threadIdx.x] = n;
}
void start(int *out) { k<<<1, 64>>>(out, 8); }
