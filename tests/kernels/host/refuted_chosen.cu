// The stride is one of two, and one of them is zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, bool wide) {
  int stride = wide ? 4 : 0;
  k<<<1, 64>>>(out, n, stride);
}
