// The elements before a row, up to a multiple of four, are written as well.
// launch: grid=2 block=32 n=2
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n + 1);
  heddle_range(row, n + 1, 0, 1 << 30);
  for (int i = blockIdx.x; i < n; i += gridDim.x)
    for (int j = (row[i] & ~3) + threadIdx.x; j < row[i + 1]; j += blockDim.x) value[j] = i;   // ~ HD0102
}
