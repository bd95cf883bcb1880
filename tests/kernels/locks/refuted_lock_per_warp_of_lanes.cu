// Half of the warps have no lane that takes the lock.
// launch: grid=any block=any passes=races
__global__ void k(int *lock, int *data) {
  int lane = threadIdx.x & 31;
  if ((threadIdx.x & 63) == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  data[lane] += 1;  // ~ HD0002 HD0101
  __syncwarp();
  if ((threadIdx.x & 63) == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
