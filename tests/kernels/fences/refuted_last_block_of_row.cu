// The grid has two rows, and the test is for the number of blocks in one.
// launch: grid=4,2 block=1
__device__ unsigned count;
__global__ void k(int *out) {
  if (atomicAdd(&count, 1) == gridDim.x - 1)   // ~ HD0102
    count = 0;
  out[blockIdx.y * gridDim.x + blockIdx.x] = 1;
}
