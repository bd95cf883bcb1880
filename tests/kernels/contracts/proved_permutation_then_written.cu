// Each thread looks up its place, and only then writes over its own element of the permutation.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, int *perm, int n) {
  heddle_injective(perm, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[perm[i]] = i;
  perm[i] = 0;
}
