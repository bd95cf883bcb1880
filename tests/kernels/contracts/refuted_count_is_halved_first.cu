// The argument is another number than the variable at that place.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  int half = n / 2;
  heddle_injective(perm, half);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[perm[i]] = i;   // ~ HD0101
}
