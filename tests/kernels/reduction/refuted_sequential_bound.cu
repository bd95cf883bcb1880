// One thread too many takes part in each level of a reduction.
// launch: grid=1 block=256
__global__ void k(const int *in, int *out) {
  __shared__ int s[257];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t <= d)
      s[t] += s[t + d];   // ~ HD0101
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
