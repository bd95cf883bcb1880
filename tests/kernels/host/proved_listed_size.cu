// For neither of the two sizes that the host passes does an index of 4096 threads wrap around.
// launch: as-launched
__global__ void strided(int *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * n] = i;
}

void run(int *a, unsigned n) {
  if (n == 524288 || n == 1)
    strided<<<64, 64>>>(a, n);
}
