// What is launched in a `try` block was checked there.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }
static void check(int stride) {
  if (stride < 1 || stride > 8) throw stride;
}
void run(int *out, int stride) {
  try {
    check(stride);
    k<<<1, 64>>>(out, stride);
  } catch (int) {
  }
}
