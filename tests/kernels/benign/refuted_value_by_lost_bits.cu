// Bits that a shift drops on purpose make the stored values differ.
// launch: grid=1 block=64
__global__ void k(unsigned *out, unsigned n) {
  unsigned t = threadIdx.x;
  out[0] = (t << 27) >> 27 == t;   // ~ HD0101
}
