// The first element of the next row is written, too.
// launch: grid=2 block=32 n=64
#include "heddle.h"
__global__ void k(float *value, const int *row, int n) {
  heddle_sorted(row, n + 1);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = row[i]; j <= row[i + 1]; j++) value[j] = i;   // ~ HD0101
}
