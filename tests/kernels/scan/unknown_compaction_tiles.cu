// A block goes over many tiles, and writes what passes a test without gaps: each round has its own prefix sums.
// launch: grid=any block=128 passes=races
__device__ int total;
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[128];
  __shared__ int base;
  int t = threadIdx.x;
  for (int start = blockIdx.x * 128; start < n; start += gridDim.x * 128) {
    int i = start + t;
    int keep = i < n && in[i] > 0;
    s[t] = keep;
    __syncthreads();
    for (int o = 1; o < 128; o <<= 1) {
      int v = t >= o ? s[t - o] : 0;
      __syncthreads();
      s[t] += v;
      __syncthreads();
    }
    if (t == 0)
      base = atomicAdd(&total, s[127]);
    __syncthreads();
    if (keep)
      out[base + s[t] - 1] = in[i];  // ~ HD0002
    __syncthreads();
  }
}
