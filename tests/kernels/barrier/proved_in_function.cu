// A device function with a barrier is called by all threads of the block.
// launch: grid=1 block=64
__device__ int wait_and_add(int v) {
  __syncthreads();
  return v + 1;
}
__global__ void k(int *out) {
  int v = wait_and_add(threadIdx.x);
  out[threadIdx.x] = v >= 32 ? v : threadIdx.x;
}
