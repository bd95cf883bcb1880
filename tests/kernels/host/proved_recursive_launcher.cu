// A launcher that calls itself may be called with anything that passes its check.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }
static void launch(int *out, int stride) {
  if (stride < 1 || stride > 64) return;
  k<<<1, 64>>>(out, stride);
  launch(out, stride - 1);
}
void run(int *out) { launch(out, 8); }
