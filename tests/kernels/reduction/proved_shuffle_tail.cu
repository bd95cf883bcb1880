// A block reduction finishes in registers of one warp after the last barrier.
// launch: grid=16 block=256
__global__ void k(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d >= 32; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    int v = s[t];
    for (int d = 16; d > 0; d >>= 1)
      v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0)
      out[blockIdx.x] = v;
  }
}
