// The order is said to list no vertex twice up to the last but one.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *x, const int *order, const int *first, int n, int colours, int colour) {
  heddle_requires(0 <= colour && colour < colours && colours < 1000);
  heddle_injective(order, n - 1);
  heddle_range(first, colours + 1, 0, n + 1);
  int i = first[colour] + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < first[colour + 1]) x[order[i]] = i;   // ~ HD0101
}
