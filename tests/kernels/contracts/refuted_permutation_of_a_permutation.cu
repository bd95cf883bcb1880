// The first look-up may lead beyond the elements of the second of which something is said.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *one, const int *two, int n) {
  heddle_injective(one, n);
  heddle_injective(two, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[two[one[i]]] = i;   // ~ HD0101
}
