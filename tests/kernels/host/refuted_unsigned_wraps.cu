// A product of unsigned numbers wraps around to zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, unsigned w) {
  if (w == 0) return;
  unsigned stride = w * 65536u;
  k<<<1, 64>>>(out, n, stride);
}
