// The counter is set back after the fence, which nobody shows.
// launch: grid=any block=64 passes=races
__device__ unsigned arrivals, generation;
__global__ void k(int *a, int *b, int steps) {
  unsigned *arrived = &arrivals;
  unsigned *gen = &generation;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  for (int s = 0; s < steps; s++) {
    int v = a[n - 1 - i];
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned g = *(volatile unsigned *)gen;
      __threadfence();
      if (atomicAdd(arrived, 1u) == gridDim.x - 1) { // ~ HD0002
        __threadfence();
        *arrived = 0; // ~ HD0002
        *(volatile unsigned *)gen = g + 1; // ~ HD0002
      } else {
        while (*(volatile unsigned *)gen == g) {
        }
      }
      __threadfence();
    }
    __syncthreads();
    a[i] = v + 1; // ~ HD0002
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned g = *(volatile unsigned *)gen;
      __threadfence();
      if (atomicAdd(arrived, 1u) == gridDim.x - 1) { // ~ HD0002
        __threadfence();
        *arrived = 0;
        *(volatile unsigned *)gen = g + 1; // ~ HD0002
      } else {
        while (*(volatile unsigned *)gen == g) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }
}
