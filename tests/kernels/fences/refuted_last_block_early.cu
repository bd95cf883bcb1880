// The block before the last sets the counter back, and the last one still adds to it.
// launch: grid=4 block=1
__device__ unsigned count;
__global__ void k(int *out) {
  if (atomicAdd(&count, 1) == gridDim.x - 2)   // ~ HD0102
    count = 0;
}
