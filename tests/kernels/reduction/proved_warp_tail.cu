// The last levels of a reduction are ordered by warp barriers on both sides of each store.
// launch: grid=16 block=128
__global__ void k(const int *in, int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64)
    s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d >>= 1) {
      __syncwarp();
      s[t] = v;
      __syncwarp();
      v += s[(t + d) % 32];
    }
    if (t == 0)
      out[blockIdx.x] = v;
  }
}
