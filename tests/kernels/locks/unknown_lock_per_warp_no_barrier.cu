// The lock is freed before the other lanes are done.
// launch: grid=any block=any passes=races
__global__ void k(int *lock, int *data) {
  int lane = threadIdx.x & 31;
  if (lane == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  data[lane] += 1;  // ~ HD0002
  if (lane == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
