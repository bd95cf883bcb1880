// One index may be the number of elements.
// launch: grid=any block=any size=in=m size=out=n
#include "heddle.h"
__global__ void k(float *out, const float *in, const int *idx, int n, int m) {
  heddle_range(idx, n, 0, m + 1);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[idx[i]];   // ~ HD0301
}
