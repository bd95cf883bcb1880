// Every block writes the same elements because the index leaves out the block.
// launch: grid=4 block=64
__global__ void k(const int *in, int *out) {
  int t = threadIdx.x;
  out[t] = in[blockIdx.x * 64 + t];   // ~ HD0102
}
