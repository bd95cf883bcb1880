// One of two callers of a static launcher does not check the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
static void launch(int *out, int n, int stride) { k<<<1, 64>>>(out, n, stride); }
void run(int *out, int n, int stride) {
  if (stride >= 1 && stride <= 16) launch(out, n, stride);
}
void other(int *out, int n, int stride) { launch(out, n, stride); }
