// The caller of a static launcher checks the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
static void launch(int *out, int n, int stride) { k<<<(n + 63) / 64, 64>>>(out, n, stride); }
void run(int *out, int n, int stride) {
  if (stride >= 1 && stride <= 16 && n < 1 << 20) launch(out, n, stride);
}
