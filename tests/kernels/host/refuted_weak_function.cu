// Another source may replace the weak function that gives the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
__attribute__((weak)) int stride() { return 1; }
void run(int *out, int n) { k<<<1, 64>>>(out, n, stride()); }
