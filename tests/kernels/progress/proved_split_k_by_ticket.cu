// Blocks add to a tile of the output in the order in which they started.
// launch: grid=3 block=64
__global__ void k(unsigned *ticket, unsigned *semaphore, int *tile) {
  unsigned mine;
  if (threadIdx.x == 0) {
    mine = atomicAdd(ticket, 1);
    while (atomicAdd(semaphore, 0) != mine) {}   // ~ HD0501
  }
  __syncthreads();
  atomicAdd(&tile[threadIdx.x], 1);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(semaphore, mine + 1);
}
