// What decides about a barrier is stored again before all threads have read it.
// launch: grid=any block=any
__global__ void k(int *out, const int *in) {
  __shared__ int s;
  if (threadIdx.x == 0)
    s = in[blockIdx.x];
  __syncthreads();
  if (s > 4) {
    if (threadIdx.x == 0)
      s = 3; // ~ HD0101
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
