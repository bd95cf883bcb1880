// With this argument the product wraps around for some threads, and unsigned arithmetic may.
// launch: grid=1 block=64 n=1431655766
__global__ void k(unsigned *out, unsigned n) {
  unsigned t = threadIdx.x;
  out[0] = t * n >= t;   // ~ HD0101
}
