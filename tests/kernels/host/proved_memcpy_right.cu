// The bytes of the stride are copied from elsewhere before the check.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
#include <cstring>
void run(int *out, int n, const char *bytes) {
  int stride;
  memcpy(&stride, bytes, 4);
  if (stride < 1 || stride > 8) return;
  k<<<1, 64>>>(out, n, stride);
}
