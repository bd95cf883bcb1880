// The first lane takes a lock for its warp, and warp barriers bring the others in.
// launch: grid=any block=any passes=races
__global__ void k(int *lock, int *data) {
  int lane = threadIdx.x & 31;
  if (lane == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  data[lane] += 1;
  __syncwarp();
  if (lane == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
