// The loop steps by a block, so that two blocks look up one place.
// launch: grid=2 block=64 n=256
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm, n);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) out[perm[i]] = blockIdx.x;   // ~ HD0102
}
