// The launch bounds allow a block that is larger than the mask of its slots.
// launch: grid=1 block=any
__global__ void __launch_bounds__(128) k(const int *in, int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t & 63] = in[t];   // ~ HD0101
  __syncthreads();
  out[t] = s[(t + 1) & 63];
}
