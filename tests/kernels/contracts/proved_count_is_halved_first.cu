// What is said of an array is said of as many elements as the variable holds there.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  n = n / 2;
  heddle_injective(perm, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[perm[i]] = i;
}
