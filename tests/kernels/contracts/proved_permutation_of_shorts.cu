// Numbers that fit into 16 bits are different after they are cut to 16 bits.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm, n);
  heddle_range(perm, n, 0, 32768);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[(short)perm[i]] = i;
}
