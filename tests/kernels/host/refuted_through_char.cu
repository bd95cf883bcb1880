// The stride is passed as a number of 8 bits, and 256 is none of these.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
static void launch(int *out, int n, unsigned char stride) {
  k<<<1, 64>>>(out, n, stride);
}
void run(int *out, int n, int stride) {
  if (stride >= 1) launch(out, n, stride);
}
