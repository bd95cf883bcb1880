// The host asserts that the size is a multiple of the width of a row, so rows do not run into each other.
// launch: as-launched
#include <cassert>
__global__ void k(int *out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i / width * width + i % width] = i;
}
void run(int *out, int n) {
  assert(n > 0 && n % 32 == 0);
  k<<<(n + 255) / 256, 256>>>(out, n, 32);
}
