// The stride is one of two that are both right.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n, bool wide) {
  int stride = wide ? 4 : 1;
  k<<<1, 64>>>(out, n, stride);
}
