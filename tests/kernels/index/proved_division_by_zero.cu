// The divisor is not zero where it divides.
// launch: grid=1 block=64
__global__ void k(int *a, unsigned n) {
  if (n != 0 && 64u / n > 64u) a[0] = threadIdx.x;
}
