// Other threads of the block do not wait until it has the lock.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *lock) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
  }
  data[threadIdx.x] += 1; // ~ HD0002
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
