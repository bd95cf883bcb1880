// Blocks take rows in turn, and their threads the elements of a row.
// launch: grid=16 block=128
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n + 1);
  heddle_range(row, n + 1, 0, 1 << 30);
  for (int i = blockIdx.x; i < n; i += gridDim.x)
    for (int j = row[i] + threadIdx.x; j < row[i + 1]; j += blockDim.x) value[j] = i;
}
