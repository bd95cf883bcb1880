// The interleaved reduction with packed threads computes the slot by a product with the stride.
// launch: grid=8 block=128
__global__ void k(const int *in, int *out) {
  __shared__ int s[128];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    unsigned i = 2 * d * t;
    if (i < blockDim.x)
      s[i] += s[i + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
