// A byte that is written after the check may be one of the stride.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
struct H { int stride; };
void run(int *out, int n, H *h, char *c) {
  if (h->stride < 1 || h->stride > 8) return;
  *c = 0;
  k<<<1,64>>>(out, n, h->stride);
}
