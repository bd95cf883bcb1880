// The stride is shifted out of its register.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, int s) {
  if (s < 1 || s > 31) return;
  k<<<1,64>>>(out, n, 0x10000u << s);
}
