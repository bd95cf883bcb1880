// The blocks that write are those that take the lock.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock, int n) {
  if (threadIdx.x == 0 && n > 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  if (n > 0) data[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0 && n > 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
