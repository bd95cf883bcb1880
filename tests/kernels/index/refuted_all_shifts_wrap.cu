// For the one distance that is allowed the shift loses all bits of even numbers, which is no reason to leave a run out.
// launch: grid=1 block=32 assume="n == 31"
__global__ void k(int *out, unsigned n) {
  unsigned i = threadIdx.x;
  out[(2 * i + 64) << n & 255] = i; // ~ HD0101
}
