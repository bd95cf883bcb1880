// Of keys that are sorted, the first of its kind alone says where its kind begins.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(int *first, const int *key, int n) {
  heddle_sorted(key, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i == 0 || key[i] != key[i - 1])) first[key[i]] = i;
}
