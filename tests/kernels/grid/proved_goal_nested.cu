// Before a loop, in a nest, and in a loop that runs at least once.
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
__global__ void k(int *a, int *b, int steps, int inner) {
  unsigned *count = &counter;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  unsigned goal = gridDim.x;
  a[i] = i;
  grid_sync(count, goal); goal += gridDim.x;
  for (int s = 0; s < steps; s++) {
    for (int t = 0; t < inner; t++) {
    int v = a[n - 1 - i];
    grid_sync(count, goal); goal += gridDim.x;
    a[i] = v + s;
    grid_sync(count, goal); goal += gridDim.x;
    }
  }
  b[i] = a[n-1-i];
  do {
    grid_sync(count, goal); goal += gridDim.x;
    a[i] = b[n-1-i];
    grid_sync(count, goal); goal += gridDim.x;
    b[i] = a[n-1-i];
    } while (--inner > 0);
}
