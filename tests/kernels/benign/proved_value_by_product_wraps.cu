// The stored values agree where no product wraps around; the answer names that it takes this for granted.
// launch: grid=1 block=64 assume="n > 0 && n < 2147483648"
__global__ void k(unsigned *out, unsigned n) {
  unsigned t = threadIdx.x;
  out[0] = t * n >= t;   // ~ HD0103
}
