// The loop ends before the stride is zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n) {
  for (int stride = 64; stride > 0; stride /= 2) k<<<1, 64>>>(out, n, stride);
}
