// The divisor that races is one: a run with zero would be none.
// launch: grid=1 block=64
__global__ void k(int *a, unsigned n) {
  unsigned each = 64u / n;
  if (each > 63u) a[0] = threadIdx.x; // ~ HD0101
}
