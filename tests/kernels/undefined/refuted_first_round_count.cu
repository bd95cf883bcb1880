// In the first round all threads store to one place; later ones count what others added.
// launch: grid=1 block=64
__global__ void k(int *x, int m) {
  __shared__ int count[64];
  count[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&count[m & 63], 1);
  __syncthreads();
  int last = 0;
  for (unsigned i = 5; i < 64; i += 8) {
    x[last == 0 ? 0 : threadIdx.x + 1] = threadIdx.x; // ~ HD0101
    last = count[i] + 1;
  }
}
