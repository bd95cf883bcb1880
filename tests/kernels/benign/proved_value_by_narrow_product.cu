// A product that fits eight bits for all threads of the block.
// launch: grid=1 block=31
__global__ void k(unsigned *out, unsigned n) {
  unsigned char p = threadIdx.x * 8;
  out[0] = p >= threadIdx.x;   // ~ HD0103
}
