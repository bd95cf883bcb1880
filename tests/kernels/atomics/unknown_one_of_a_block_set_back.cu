// The one that took the word sets it back, and another one takes it.
// launch: grid=any block=any
__global__ void k(int *out) {
  __shared__ int taken, who;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  if (atomicCAS(&taken, 0, 1) == 0) {
    who = threadIdx.x;   // ~ HD0002
    atomicExch(&taken, 0);
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = who;
}
