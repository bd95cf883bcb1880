// The sizes of the block are powers of two.
// launch: as-launched
__global__ void k(float *out, const float *in) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
void run(float *out, const float *in, int blocks, int threads) {
  switch (threads) {
  case 64:
  case 128:
  case 256: k<<<blocks, threads, threads * sizeof(float)>>>(out, in);
  }
}
