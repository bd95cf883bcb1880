// The argument is changed after its address was put into the table.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, int stride) {
  if (stride < 1 || stride > 8) return;
  void *table[] = {&out, &n, &stride};
  stride = 0;
  cudaLaunchKernel((void *)k, 1, 64, table, 0, 0);
}
