// No error leaves the launcher where the stride is zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
int run(int *out, int n, int stride) {
  if (!out) return 1;
  if (n <= 0 || n > 65536) return 2;
  if (stride < 0 || stride > 64) return 4;
  k<<<1, 128>>>(out, n, stride);
  return cudaGetLastError() == cudaSuccess ? 0 : 5;
}
