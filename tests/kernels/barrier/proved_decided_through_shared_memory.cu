// What decides about a barrier was stored before another one, which all threads pass.
// launch: grid=any block=any
__global__ void k(int *out, const int *in) {
  __shared__ int s;
  if (threadIdx.x == 0)
    s = in[blockIdx.x];
  __syncthreads();
  if (s > 4) {
    __syncthreads();
    if (threadIdx.x == 0)
      s = 3;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
