// The lock keeps blocks apart, and not the threads of one.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x / 2] += 1; // ~ HD0101
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
