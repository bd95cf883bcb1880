// Only the lower half of the block meets the barrier.
// launch: grid=1 block=64
__global__ void k(int *out) {
  if (threadIdx.x < 32)
    __syncthreads();   // ~ HD0201
  out[threadIdx.x] = 1;
}
