// Nothing is called between check and launch that may set the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
int stride = 4;
void run(int *out, int n) {
  if (stride < 1 || stride > 8) return;
  k<<<1, 64>>>(out, n, stride);
}
