// A flat index of 32 bits wraps around when the grid has more than four billion threads.
// launch: grid=4194305 block=1024
__global__ void k(const int *in, int *out) {
  unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
  out[g] = in[blockIdx.x];   // ~ HD0102
}
