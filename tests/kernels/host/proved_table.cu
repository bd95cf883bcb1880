// The arguments are passed by a table of their addresses.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n, int stride) {
  if (stride < 1 || stride > 8) return;
  void *table[] = {&out, &n, &stride};
  cudaLaunchKernel((void *)k, 1, 64, table, 0, 0);
}
