// The stride is passed as a number of 8 bits, and is one of these.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
static void launch(int *out, int n, unsigned char stride) { k<<<1, 64>>>(out, n, stride); }
void run(int *out, int n, int stride) {
  if (stride >= 1 && stride < 200) launch(out, n, stride);
}
