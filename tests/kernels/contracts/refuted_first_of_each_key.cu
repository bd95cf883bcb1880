// Keys of one kind need not stand together: nothing is said of their order.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(int *first, const int *key, int n) {
  heddle_range(key, n, 0, 1000);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i == 0 || key[i] != key[i - 1])) first[key[i]] = i;   // ~ HD0101
}
