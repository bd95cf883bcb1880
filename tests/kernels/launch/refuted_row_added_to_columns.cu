// The index adds the row to the columns of the blocks before, so that it may pass 2^31.
// launch: grid=2147483647 block=1,1024
__global__ void k(int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.y;
  if ((int)i < 0)
    out[0] = threadIdx.y;  // ~ HD0101
}
