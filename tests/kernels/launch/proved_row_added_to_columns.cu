// The index adds the column to those of the blocks before, and stays below 2^31.
// launch: grid=2097151 block=1024
__global__ void k(int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int)i < 0)
    out[0] = threadIdx.x;
}
