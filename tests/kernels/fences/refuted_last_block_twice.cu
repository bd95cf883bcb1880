// Each block adds twice, so that others still add when a ticket equals the number of blocks less one.
// launch: grid=4 block=1
__device__ unsigned count;
__global__ void k(int *out) {
  for (int round = 0; round < 2; round++)
    if (atomicAdd(&count, 1) == gridDim.x - 1)   // ~ HD0102
      count = 0;
}
