// A slot computed with the wrong product makes threads of one level add into each other's operands.
// launch: grid=8 block=128
__global__ void k(const int *in, int *out) {
  __shared__ int s[256];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  s[t + 128] = 0;
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    unsigned i = d * t;
    if (i < blockDim.x)
      s[i] += s[i + d];   // ~ HD0101
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
