// The thread that frees the lock of its block has no fence before.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1; // ~ HD0102
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicExch(lock, 0);
  }
}
