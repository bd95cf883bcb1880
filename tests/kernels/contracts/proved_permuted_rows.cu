// A block writes the row that the permutation says, and no row is said twice.
// launch: grid=any block=any assume="n <= 4096"
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n, int width) {
  heddle_injective(perm, n);
  heddle_range(perm, n, 0, n);
  heddle_requires(0 < width && width < 10000);
  if (blockIdx.x < n)
    for (int j = threadIdx.x; j < width; j += blockDim.x) out[perm[blockIdx.x] * width + j] = j;
}
