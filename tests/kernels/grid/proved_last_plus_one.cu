// What the addition leaves is compared with the number of blocks.
// launch: grid=any block=64 passes=races
__device__ unsigned arrivals, generation;
__global__ void k(int *a, int *b, int steps) {
  unsigned *arrived = &arrivals;
  unsigned *gen = &generation;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  b[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned g = *(volatile unsigned *)gen;
    __threadfence();
    if (atomicAdd(arrived, 1u) + 1 == gridDim.x) {
      *arrived = 0;
      __threadfence();
      *(volatile unsigned *)gen = g + 1;
    } else {
      while (*(volatile unsigned *)gen == g) {
      }
    }
    __threadfence();
  }
  __syncthreads();
  a[i] = b[n - 1 - i];
}
