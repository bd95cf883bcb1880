// Dynamic shared memory of any size, each element by the thread that has its number.
// launch: passes=uninitialised-shared block=any grid=any
__global__ void k(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}
