// Two barriers of the grid one after the other.
// launch: grid=any block=64 passes=races
__device__ inline void grid_sync(unsigned *count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < goal) {}
    __threadfence();
  }
  __syncthreads();
}
__device__ unsigned counter;
__global__ void k(int *a, int *b, int *c) {
  unsigned *count = &counter;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  a[i] = i;
  grid_sync(count, gridDim.x);
  b[i] = a[n - 1 - i];
  grid_sync(count, 2 * gridDim.x);
  c[i] = b[n - 1 - i];
}
