// The stride is checked, and not changed before the launch.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n, int stride) {
  if (stride < 1 || stride > 8) return;
  n++;
  k<<<1, 64>>>(out, n, stride);
}
