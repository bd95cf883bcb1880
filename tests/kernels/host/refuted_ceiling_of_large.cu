// In `float` the ceiling of a large number's quotient may be another one: tiles do not cover the row.
// launch: as-launched
#include <cassert>
#include <cmath>

__global__ void ceiling(float *out, int n, int tiles) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n)
    out[blockIdx.y * tiles * 32 + i] = blockIdx.y; // ~ HD0102
}

void run(float *out, int n) {
  assert(n > 0);
  ceiling<<<dim3((n + 31) / 32, 4), 32>>>(out, n, (int)ceilf((float)n / 32));
}
