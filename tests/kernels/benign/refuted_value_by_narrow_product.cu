// A product that is cut to eight bits is zero for some threads and not for others.
// launch: grid=1 block=64
__global__ void k(unsigned *out, unsigned n) {
  unsigned char p = threadIdx.x * 8;
  out[0] = p >= threadIdx.x;   // ~ HD0101
}
