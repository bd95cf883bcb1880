// The program admits runs in which the product does not wrap around: the others are left out, by name.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  __builtin_assume(n >= 10000u && n < 100000u);
  unsigned square = n * n;
  out[threadIdx.x * (size_t)square] = threadIdx.x;
}
