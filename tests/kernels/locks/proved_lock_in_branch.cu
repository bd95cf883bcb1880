// Each thread tries the lock until it has had it once, so that threads of a warp cannot wait for each other.
// launch: grid=any block=any passes=barrier-divergence,races
__device__ int lock;
__global__ void k(int *sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      *sum += threadIdx.x;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
