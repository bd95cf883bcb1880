// A stride of 64 bits that fits in 32 keeps its value.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n, long stride) {
  if (stride < 1 || stride > 100) return;
  k<<<1, 64>>>(out, n, stride);
}
