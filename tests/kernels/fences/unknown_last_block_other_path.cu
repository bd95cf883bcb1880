// Another path adds to the counter after the last block has set it back.
// launch: grid=4 block=1
__device__ unsigned count;
__global__ void k(int *out, int n) {
  if (atomicAdd(&count, 1) == gridDim.x - 1)   // ~ HD0002
    count = 0;   // ~ HD0002
  if (n > 3)
    atomicAdd(&count, 1);
}
