// Another launch of the kernel, by a function of the runtime, gives a stride of zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n) {
  cudaLaunchConfig_t c = {};
  c.gridDim = 1;
  c.blockDim = 64;
  cudaLaunchKernelEx(&c, k, out, n, 0);
  k<<<1,64>>>(out, n, 1);
}
