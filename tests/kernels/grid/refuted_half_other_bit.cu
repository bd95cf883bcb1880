// Another bit is looked at.
// launch: grid=any block=64 passes=races
__device__ unsigned arrivals, generation;
__global__ void k(int *a, int *b, int steps) {
  unsigned *gen = &generation;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  for (int s = 0; s < steps; s++) {
    int v = a[n - 1 - i];
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned nb = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
      __threadfence();
      unsigned old = atomicAdd(gen, nb);
      while ((((old ^ *(volatile unsigned *)gen) & 0x40000000u) == 0)) {
      }
      __threadfence();
    }
    __syncthreads();
    a[i] = v + 1; // ~ HD0102
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned nb = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
      __threadfence();
      unsigned old = atomicAdd(gen, nb);
      while ((((old ^ *(volatile unsigned *)gen) & 0x40000000u) == 0)) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
