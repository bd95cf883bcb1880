// A lock in shared memory, free behind a barrier, with fences for the block.
// launch: grid=any block=any passes=barrier-divergence,races
__global__ void k(int *out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) {
    atomicExch(&lock, 0);
    sum = 0;
  }
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      sum += threadIdx.x;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
