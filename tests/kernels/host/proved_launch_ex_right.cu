// Both launches of the kernel are followed.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n) {
  int stride = 2;
  void *arguments[] = {&out, &n, &stride};
  cudaLaunchKernel((void *)k, 1, 64, arguments, 0, 0);
  k<<<1, 64>>>(out, n, 1);
}
