// Different numbers of 32 bits may have the same lower 16.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[(short)perm[i]] = i;   // ~ HD0101
}
