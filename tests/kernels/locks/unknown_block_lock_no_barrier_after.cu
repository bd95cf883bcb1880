// The lock may be free while other threads of the block still write.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] += 1; // ~ HD0002
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
