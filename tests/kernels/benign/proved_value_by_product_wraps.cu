// The stored values agree where no product wraps around, and none of these does.
// launch: grid=1 block=64 assume="n > 0 && n < 67108864"
__global__ void k(unsigned *out, unsigned n) {
  unsigned t = threadIdx.x;
  out[0] = t * n >= t;   // ~ HD0103
}
