// Pairs of halves are combined with a neighbour's pair, which that may not have stored.
// launch: grid=1 block=64
#include <cuda_fp16.h>

__global__ void k(half2 *out, const half2 *in) {
  __shared__ half2 s[64];
  int t = threadIdx.x;
  s[t] = __hmul2(in[t], __float2half2_rn(0.5f)); // ~ HD0101
  out[t] = __hmax2(s[t], s[t ^ 1]);
}
