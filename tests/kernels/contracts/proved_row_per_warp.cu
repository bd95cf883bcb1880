// Each warp writes a row of a sparse matrix, its lanes in turn.
// launch: grid=16 block=128
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n + 1);
  heddle_range(row, n + 1, 0, 1 << 30);
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i < n)
    for (int j = row[i] + threadIdx.x % 32; j < row[i + 1]; j += 32) value[j] = i;
}
