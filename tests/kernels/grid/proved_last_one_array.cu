// The counter and the generation are in one array.
// launch: grid=any block=64 passes=races
__device__ unsigned words[2];
__global__ void k(int *a, int *b, int steps) {
  unsigned *arrived = words;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  for (int s = 0; s < steps; s++) {
    int v = a[n - 1 - i];
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned g = *(volatile unsigned *)(arrived + 1);
      __threadfence();
      if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
        *arrived = 0;
        __threadfence();
        *(volatile unsigned *)(arrived + 1) = g + 1;
      } else {
        while (*(volatile unsigned *)(arrived + 1) == g) {
        }
      }
      __threadfence();
    }
    __syncthreads();
    a[i] = v + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned g = *(volatile unsigned *)(arrived + 1);
      __threadfence();
      if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
        *arrived = 0;
        __threadfence();
        *(volatile unsigned *)(arrived + 1) = g + 1;
      } else {
        while (*(volatile unsigned *)(arrived + 1) == g) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }
}
