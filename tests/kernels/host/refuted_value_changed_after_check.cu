// The stride is checked, and then made one less.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, int stride) {
  if (stride < 1 || stride > 8) return;
  stride--;
  k<<<1, 64>>>(out, n, stride);
}
