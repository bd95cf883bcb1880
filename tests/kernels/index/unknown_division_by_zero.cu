// Only a division by zero would give more than 64, and a run with one is none.
// launch: grid=1 block=64
__global__ void k(int *a, unsigned n) {
  unsigned each = 64u / n;
  if (each > 64u) a[0] = threadIdx.x; // ~ HD0002
}
