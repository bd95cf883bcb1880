// In every run that the program admits the product wraps around: none is left out.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned n) {
  __builtin_assume(n >= 70000u && n < 100000u);
  unsigned square = n * n;
  if (square / n != n)
    out[0] = threadIdx.x; // ~ HD0101
}
