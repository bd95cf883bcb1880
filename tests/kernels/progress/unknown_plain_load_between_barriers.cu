// A plain load between barriers is read again, and polls what a later block sets.
// launch: grid=3 block=64 passes=progress
__global__ void k(int *lock, int *flag) {
  if (blockIdx.x == 2 && threadIdx.x == 0) flag[0] = 1;
  if (blockIdx.x == 0) {
    int f;
    do {
      __syncthreads();
      f = *flag;  // ~ HD0002
      __syncthreads();
    } while (!f);
  }
  if (threadIdx.x) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  atomicExch(lock, 0);
}
