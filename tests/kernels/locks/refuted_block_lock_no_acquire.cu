// The thread that takes the lock for its block has no fence after.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) {
    }
  }
  __syncthreads();
  data[threadIdx.x] += 1; // ~ HD0102
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
