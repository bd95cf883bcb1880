// A thread writes the elements of its row: rows do not overlap, because their beginnings rise.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n + 1);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = row[i]; j < row[i + 1]; j++) value[j] = i;
}
