// Each block has a lock of its own in shared memory, and a word of its own that it guards.
// launch: grid=4 block=64 passes=barrier-divergence,races
__global__ void k(int *sum) {
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      sum[blockIdx.x] += 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
