// An unrolled reduction forgets the barrier between the levels of 128 and of 64 threads.
// launch: grid=any block=256
__global__ void k(const int *in, int *out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int i = t; i < n; i += 256)
    sum += in[i];
  s[t] = sum;
  __syncthreads();
  if (t < 128) s[t] += s[t + 128];   // ~ HD0101
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d >>= 1)
      v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0)
      out[blockIdx.x] = v;
  }
}
