// A barrier orders the threads of a block but not the neighbours across the block's edge.
// launch: grid=4 block=64
__global__ void k(int *a) {
  int g = blockIdx.x * 64 + threadIdx.x + 1;
  int v = a[g - 1] + a[g + 1];
  __syncthreads();
  a[g] = v;   // ~ HD0102
}
