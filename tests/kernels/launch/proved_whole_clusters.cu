// A grid of clusters of two has an even number of blocks.
// launch: grid=any block=64 cluster=2
__global__ void k(int *out) {
  __shared__ int s;
  if (gridDim.x % 2 == 1) s = threadIdx.x;
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}
