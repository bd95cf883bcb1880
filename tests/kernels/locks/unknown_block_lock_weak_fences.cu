// Fences of the threads themselves that are not sequentially consistent make no order with the lock.
// launch: grid=any block=any passes=races
__global__ void k(float *c, int *lock, int tiles) {
  int tile = blockIdx.x % tiles, t = threadIdx.x;
  if (t == 0)
    while (atomicExch(&lock[tile], 1) == 1) {
    }
  __syncthreads();
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  c[tile * blockDim.x + t] += 1.0f; // ~ HD0002
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  __syncthreads();
  if (t == 0) atomicExch(&lock[tile], 0);
}
