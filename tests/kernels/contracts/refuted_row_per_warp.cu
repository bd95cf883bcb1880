// Blocks of one warp and a half share a row, and lanes of it.
// launch: grid=16 block=48 n=20
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n + 1);
  heddle_range(row, n + 1, 0, 1 << 30);
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i < n)
    for (int j = row[i] + threadIdx.x % 32; j < row[i + 1]; j += 32) value[j] = blockIdx.x;   // ~ HD0102
}
