// The kernel is launched again where the check has failed.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101
static void check(int stride) {
  if (stride < 1 || stride > 8) throw stride;
}
void run(int *out, int stride) {
  try {
    check(stride);
    k<<<1, 64>>>(out, stride);
  } catch (int) {
    k<<<1, 64>>>(out, stride);
  }
}
