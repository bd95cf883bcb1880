// In the second round nobody waits, which nobody shows.
// launch: grid=any block=64 passes=races
__device__ unsigned counter;
__global__ void k(int *a, int *b, int steps) {
  unsigned *count = &counter;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  for (int s = 0; s < steps; s++) {
    int v = a[n - 1 - i];
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (*(volatile unsigned *)count < gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
    a[i] = v + 1; // ~ HD0002
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (*(volatile unsigned *)count < 2 * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
