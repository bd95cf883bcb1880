// Bins of the grid, guarded by a lock for each bin that every block has for itself.
// launch: grid=2 block=32 passes=barrier-divergence,races
__global__ void k(int *bins, const int *in) {
  __shared__ int lock[16];
  if (threadIdx.x < 16) lock[threadIdx.x] = 0;
  __syncthreads();
  int b = in[threadIdx.x] & 15;
  bool done = false;
  while (!done) {
    if (atomicExch(&lock[b], 1) == 0) {
      __threadfence();
      bins[b] += 1; // ~ HD0102
      __threadfence();
      atomicExch(&lock[b], 0);
      done = true;
    }
  }
}
