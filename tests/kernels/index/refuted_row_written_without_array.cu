// Only some threads index the array: others write rows of the next block.
// launch: grid=any block=any
__global__ void reverse(const int *in, int *out, int n) {
  __shared__ int s[256];
  if (threadIdx.x < n)
    s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[0];  // ~ HD0102
}
