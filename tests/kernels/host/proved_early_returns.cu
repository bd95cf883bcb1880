// Each error leaves the launcher before the launch.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
int run(int *out, int n, int stride) {
  if (!out) return 1;
  if (n <= 0 || n > 65536) return 2;
  if (stride == 0) return 3;
  if (stride < 0 || stride > 64) return 4;
  k<<<(n + 127) / 128, 128>>>(out, n, stride);
  return cudaGetLastError() == cudaSuccess ? 0 : 5;
}
