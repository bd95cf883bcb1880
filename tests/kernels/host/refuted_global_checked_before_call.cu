// A call between check and launch may set the variable that holds the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
int stride = 4;
void load();
void run(int *out, int n) {
  if (stride < 1 || stride > 8) return;
  load();
  k<<<1, 64>>>(out, n, stride);
}
