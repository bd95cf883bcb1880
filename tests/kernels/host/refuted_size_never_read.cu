// Blocks have at least two rows of threads, which the kernel does not tell apart.
// launch: as-launched
__global__ void k(int *out) {
  out[threadIdx.x] += 1;  // ~ HD0101
}
int run(int *out, int rows) {
  if (rows < 2 || rows > 20) return 1;
  k<<<1, dim3(32, rows)>>>(out);
  return 0;
}
