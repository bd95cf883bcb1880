// Two numbers of which one is minus the other have one magnitude.
// launch: grid=1 block=any
#include "heddle.h"
__global__ void k(float *out, const signed char *perm, int n) {
  heddle_injective(perm, n);
  if (threadIdx.x < n) out[perm[threadIdx.x] < 0 ? -perm[threadIdx.x] : perm[threadIdx.x]] = threadIdx.x;   // ~ HD0101
}
