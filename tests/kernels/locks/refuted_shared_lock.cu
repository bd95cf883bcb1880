// Each block has a lock of its own in shared memory; the word that it guards is one for all blocks.
// launch: grid=4 block=64 passes=barrier-divergence,races
__global__ void k(int *sum) {
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      sum[0] += 1; // ~ HD0102
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
