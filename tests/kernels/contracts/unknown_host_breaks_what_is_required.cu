// The host's launch breaks what the kernel requires: that is said, and nothing is proved of it.
// launch: as-launched
#include "heddle.h"
__global__ void k(int *out, int n) {
  heddle_requires(n % 4 == 0);   // ~ HD0901
  out[threadIdx.x] = n;
}
void start(int *out) { k<<<1, 64>>>(out, 6); }
