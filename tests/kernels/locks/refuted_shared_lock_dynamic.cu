// The lock is in dynamic shared memory, which each block has for itself.
// launch: grid=any block=2 passes=barrier-divergence,races
__global__ void k(int *sum) {
  extern __shared__ int lock[];
  if (threadIdx.x == 0) lock[0] = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicExch(&lock[0], 1) == 0) {
      __threadfence();
      sum[0] += 1; // ~ HD0102
      __threadfence();
      atomicExch(&lock[0], 0);
      done = true;
    }
  }
}
