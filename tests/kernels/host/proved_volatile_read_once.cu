// A volatile stride is read once.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n) {
  extern volatile int given;
  int stride = given;
  if (stride < 1 || stride > 8) return;
  k<<<1, 64>>>(out, n, stride);
}
