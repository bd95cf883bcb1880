// Some blocks write without the lock.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock, int n) {
  if (threadIdx.x == 0 && n > 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1; // ~ HD0102
  __syncthreads();
  if (threadIdx.x == 0 && n > 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
