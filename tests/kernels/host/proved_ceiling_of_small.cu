// In `float` the ceiling of a quotient is exact for numbers below 2^24: tiles cover the row.
// launch: as-launched
#include <cassert>
#include <cmath>

__global__ void ceiling(float *out, int n, int tiles) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n)
    out[blockIdx.y * tiles * 32 + i] = blockIdx.y;
}

void run(float *out, int n) {
  assert(n > 0 && n < 16777216);
  ceiling<<<dim3((n + 31) / 32, 4), 32>>>(out, n, (int)ceilf((float)n / 32));
}
