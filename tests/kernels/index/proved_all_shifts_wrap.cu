// For the one distance that is allowed the shift loses nothing of these numbers.
// launch: grid=1 block=32 assume="n == 2"
__global__ void k(int *out, unsigned n) {
  unsigned i = threadIdx.x;
  out[(2 * i + 64) << n] = i;
}
