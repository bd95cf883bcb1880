// A row begins before the last element of another one.
// launch: grid=4 block=32 n=4 width=8
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n, int width) {
  heddle_injective(perm, n);
  heddle_range(perm, n, 0, n);
  if (blockIdx.x < n)
    for (int j = threadIdx.x; j <= width; j += blockDim.x) out[perm[blockIdx.x] * width + j] = j;   // ~ HD0102
}
