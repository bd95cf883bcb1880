// Two elements are read at once, each of which is one of the permutation.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm, 2 * n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int2 two = reinterpret_cast<const int2 *>(perm)[i];
  out[two.x] = i;
  out[two.y] = i;
}
