// A launcher calls itself with less, down to zero.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101
static void launch(int *out, int stride) {
  k<<<1, 64>>>(out, stride);
  if (stride > 0) launch(out, stride - 1);
}
void run(int *out) { launch(out, 8); }
