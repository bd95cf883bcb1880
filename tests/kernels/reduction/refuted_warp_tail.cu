// The volatile warp-synchronous tail of old reductions races once threads of a warp run independently.
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
    volatile int *v = s;
    v[t] += v[t + 32];   // ~ HD0104
    v[t] += v[t + 16];   // ~ HD0104
    v[t] += v[t + 8];    // ~ HD0104
    v[t] += v[t + 4];    // ~ HD0104
    v[t] += v[t + 2];    // ~ HD0104
    v[t] += v[t + 1];    // ~ HD0104
    if (t == 0)
      out[blockIdx.x] = v[0];
  }
}
