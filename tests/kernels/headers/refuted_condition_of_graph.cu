// That a kernel sets the condition of its graph orders nothing.
// launch: grid=any block=64
__global__ void k(cudaGraphConditionalHandle handle, int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // ~ HD0101
  cudaGraphSetConditional(handle, 1);
  out[blockIdx.x * 64 + 63 - threadIdx.x] = 3;
}
