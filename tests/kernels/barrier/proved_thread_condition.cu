// The condition on the thread covers the whole block, so all threads meet the barrier.
// launch: grid=1 block=64
__global__ void k(int *out) {
  if (threadIdx.x < 64)
    __syncthreads();
  out[threadIdx.x] = 1;
}
