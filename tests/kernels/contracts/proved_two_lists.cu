// Two lists, each without a number twice, lead to two halves.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *left, const int *right, int n, int m) {
  heddle_injective(left, n);
  heddle_range(left, n, 0, m);
  heddle_injective(right, n);
  heddle_range(right, n, m, 2 * m);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[left[i]] = i;
  out[right[i]] = -i;
}
