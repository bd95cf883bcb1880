// Nothing says that the loaded indices of a scatter are distinct.
// launch: grid=1 block=64
__global__ void k(const int *in, const int *where, int *out) {
  int t = threadIdx.x;
  out[where[t]] = in[t];   // ~ HD0101
}
