// The magnitudes of different numbers differ where none is negative.
// launch: grid=1 block=any
#include "heddle.h"
__global__ void k(float *out, const signed char *perm, int n) {
  heddle_injective(perm, n);
  heddle_range(perm, n, 0, 128);
  if (threadIdx.x < n) out[perm[threadIdx.x] < 0 ? -perm[threadIdx.x] : perm[threadIdx.x]] = threadIdx.x;
}
