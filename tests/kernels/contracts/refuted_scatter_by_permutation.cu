// The last element that is looked up is none of the permutation.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const float *in, const int *perm, int n) {
  heddle_injective(perm, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[perm[i]] = in[i];   // ~ HD0101
}
