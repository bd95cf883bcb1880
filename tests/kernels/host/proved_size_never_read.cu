// Blocks have one row of threads, so a kernel need not tell rows apart.
// launch: as-launched
__global__ void k(int *out) {
  out[threadIdx.x] += 1;
}
int run(int *out, int rows) {
  if (rows != 1) return 1;
  k<<<1, dim3(32, rows)>>>(out);
  return 0;
}
