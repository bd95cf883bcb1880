// A table has the kernel: it may be started with any stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void (*const table[])(int *, int, int) = {k, k};
void run(int *out, int n, int w) {
  table[w]<<<1,64>>>(out, n, w);
  k<<<1,64>>>(out, n, 1);
}
