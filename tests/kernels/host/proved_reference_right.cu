// A function gets a reference to the stride and doubles it.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
static void fix(int &stride) { stride = stride * 2; }
void run(int *out, int n, int stride) {
  if (stride < 1 || stride > 8) return;
  fix(stride);
  k<<<1, 64>>>(out, n, stride);
}
