// For one of the two sizes that the host passes, 64 * n wraps around to 0: the blocks write to the same elements.
// launch: as-launched
__global__ void strided(int *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * n] = i; // ~ HD0102
}

void run(int *a, unsigned n) {
  if (n == 67108864 || n == 1)
    strided<<<64, 64>>>(a, n);
}
