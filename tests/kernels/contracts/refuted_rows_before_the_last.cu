// Of one more row neither end is said to rise.
// launch: grid=4 block=64 n=40
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    for (int j = row[i]; j < row[i + 1]; j++) value[j] = i;   // ~ HD0101
}
