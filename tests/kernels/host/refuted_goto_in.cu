// A jump comes to the launch past the check.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
int run(int *out, int n, int stride) {
  if (n < 64) goto launch;
  if (stride < 1 || stride > 64) return 1;
launch:
  k<<<1, 128>>>(out, n, stride);
  return 0;
}
