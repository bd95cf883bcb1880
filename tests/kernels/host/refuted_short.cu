// The stride is cut to 16 bits, and may be zero.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, int s) { if (s < 1) return; k<<<1,64>>>(out, n, (short)s); }
