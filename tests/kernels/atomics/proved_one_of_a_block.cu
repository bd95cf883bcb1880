// The word is set back before a barrier; then one thread of the block takes it.
// launch: grid=any block=any
__global__ void k(int *out) {
  __shared__ int taken, who;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  if (atomicCAS(&taken, 0, 1) == 0) who = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = who;
}
