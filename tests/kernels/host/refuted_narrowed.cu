// A stride that is positive in 64 bits is cut to 32, and may be zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, long stride) {
  if (stride < 1) return;
  k<<<1, 64>>>(out, n, stride);
}
