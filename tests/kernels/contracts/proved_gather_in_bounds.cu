// The indices are said to lie in the buffer.
// launch: grid=any block=any size=in=m size=out=n
#include "heddle.h"
__global__ void k(float *out, const float *in, const int *idx, int n, int m) {
  heddle_range(idx, n, 0, m);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[idx[i]];
}
