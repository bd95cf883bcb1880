// The bytes of the stride are copied from elsewhere after the check.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
#include <cstring>
void run(int *out, int n, int stride, const char *p) {
  if (stride < 1 || stride > 8) return;
  memcpy(&stride, p, 4);
  k<<<1,64>>>(out, n, stride);
}
