// The first element is none of those that are said to differ.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm + 1, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[perm[i]] = i;   // ~ HD0101
}
