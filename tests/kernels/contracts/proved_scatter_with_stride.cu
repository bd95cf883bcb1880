// In a loop over the grid, the places that a thread looks up are no other thread's.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm, n);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[perm[i]] = i;
}
