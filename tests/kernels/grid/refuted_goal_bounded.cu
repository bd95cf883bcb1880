// The wait ends after some rounds in any case.
// launch: grid=any block=64 passes=races
__device__ unsigned counter;
__global__ void k(int *a, int *b, int steps) {
  unsigned *count = &counter;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  unsigned goal = 0;
  for (int s = 0; s < steps; s++) {
    int v = a[n - 1 - i];
    goal += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      for (int t = 0; t < 1000 && *(volatile unsigned *)count < goal; t++) {
      }
      __threadfence();
    }
    __syncthreads();
    a[i] = v + 1; // ~ HD0102
    goal += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (*(volatile unsigned *)count < goal) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
