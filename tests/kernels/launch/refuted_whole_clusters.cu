// A grid of clusters of two may be no multiple of four.
// launch: grid=any block=64 cluster=2
__global__ void k(int *out) {
  __shared__ int s;
  if (gridDim.x % 4 == 2) s = threadIdx.x;  // ~ HD0101
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}
