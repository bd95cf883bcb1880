// Of two lists, each without a number twice, one may have a number of the other.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *left, const int *right, int n) {
  heddle_injective(left, n);
  heddle_injective(right, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[left[i]] = i;   // ~ HD0101
  out[right[i]] = -i;
}
