// No thread has an index of 32 or more, so that the shift drops nothing but zeros.
// launch: grid=1 block=32
__global__ void k(unsigned *out, unsigned n) {
  unsigned t = threadIdx.x;
  out[0] = (t << 27) >> 27 == t;   // ~ HD0103
}
