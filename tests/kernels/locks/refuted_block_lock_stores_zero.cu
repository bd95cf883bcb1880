// A plain store frees the lock.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) { // ~ HD0102
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1; // ~ HD0102
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *lock = 0;       // ~ HD0103
  }
}
