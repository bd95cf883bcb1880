// The loop ends after the launch with a stride of zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n) {
  int stride = 64;
  do {
    stride /= 2;
    k<<<1, 64>>>(out, n, stride);
  } while (stride > 0);
}
