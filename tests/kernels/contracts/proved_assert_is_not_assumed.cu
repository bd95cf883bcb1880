// The same where each launch keeps it.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, int n) {
  heddle_requires(n >= 1);
  heddle_assert(n >= 1);
  if (n < 1)
    out[0] = threadIdx.x;
}
