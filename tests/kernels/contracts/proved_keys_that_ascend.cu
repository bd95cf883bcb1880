// Keys that ascend are different, and counted from the first one.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(int *count, const unsigned *key, unsigned n) {
  heddle_ascending(key, n);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) count[key[i] - key[0]] = i;
}
