// All blocks store their result in one cell.
// launch: grid=any block=64
__global__ void k(const int *in, int *out) {
  if (threadIdx.x == 0)
    out[0] = in[blockIdx.x];   // ~ HD0102
}
