// No divisor makes 63 more than 63.
// launch: grid=1 block=64
__global__ void k(int *a, unsigned n) {
  if (n > 0 && 63u / n > 63u) a[0] = threadIdx.x;
}
