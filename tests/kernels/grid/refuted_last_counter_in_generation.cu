// The counter is half of the word that is waited for, which each arrival changes.
// launch: grid=any block=64 passes=races
__device__ unsigned long long words;
__global__ void k(int *a, int *b, int steps) {
  unsigned *arrived = (unsigned *)&words;
  unsigned long long *gen = &words;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  for (int s = 0; s < steps; s++) {
    int v = a[n - 1 - i];
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned long long g = *(volatile unsigned long long *)gen;
      __threadfence();
      if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
        *arrived = 0;
        __threadfence();
        *(volatile unsigned long long *)gen = g + 1;
      } else {
        while (*(volatile unsigned long long *)gen == g) {
        }
      }
      __threadfence();
    }
    __syncthreads();
    a[i] = v + 1; // ~ HD0102
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned long long g = *(volatile unsigned long long *)gen;
      __threadfence();
      if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
        *arrived = 0; // ~ HD0102
        __threadfence();
        *(volatile unsigned long long *)gen = g + 1;
      } else {
        while (*(volatile unsigned long long *)gen == g) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }
}
