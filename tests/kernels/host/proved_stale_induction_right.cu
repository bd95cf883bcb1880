// The stride depends on the turn of the loop, and is checked.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n) {
  int stride = 1;
  for (int i = 0; i < 100; i++) {
    if (n == i) stride = i - 50;
    if (stride > 0) k<<<1, 64>>>(out, n, stride);
  }
}
