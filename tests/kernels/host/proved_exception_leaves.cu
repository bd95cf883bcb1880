// A check throws, and the exception leaves the function.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
static void check(int stride) {
  if (stride < 1 || stride > 8) throw stride;
}
void run(int *out, int n, int stride) {
  check(stride);
  k<<<1, 64>>>(out, n, stride);
}
