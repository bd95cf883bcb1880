// Blocks add to a tile of the output in the order of their ids.
// launch: grid=3 block=64
__global__ void k(unsigned *semaphore, int *tile) {
  if (threadIdx.x == 0) while (atomicAdd(semaphore, 0) != blockIdx.x) {}   // ~ HD0501
  __syncthreads();
  atomicAdd(&tile[threadIdx.x], 1);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(semaphore, (blockIdx.x + 1) % gridDim.x);
}
