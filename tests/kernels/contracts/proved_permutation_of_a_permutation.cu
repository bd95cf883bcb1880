// What is looked up twice is different, where the first look-up stays among the elements of the second.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *one, const int *two, int n) {
  heddle_injective(one, n);
  heddle_range(one, n, 0, n);
  heddle_injective(two, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[two[one[i]]] = i;
}
