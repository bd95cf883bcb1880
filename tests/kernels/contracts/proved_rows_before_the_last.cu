// Only what lies between is said to rise: whatever the last end is, no other row comes after it.
// launch: grid=4 block=64
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = row[i]; j < row[i + 1]; j++) value[j] = i;
}
