// What is kept is not what was counted, so two threads may have one place.
// launch: grid=any block=256 passes=races
__device__ int total;
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[256];
  __shared__ int base;
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int keep = i < n && in[i] > 0;
  s[t] = keep;
  __syncthreads();
  for (int o = 1; o < 256; o <<= 1) {
    int v = t >= o ? s[t - o] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t == 0)
    base = atomicAdd(&total, s[255]);
  __syncthreads();
  if (i < n && in[i] >= 0)
    out[base + s[t] - 1] = in[i];  // ~ HD0101
}
