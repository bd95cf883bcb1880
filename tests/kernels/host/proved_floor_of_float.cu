// The quotient is cut, and what it cuts is left out.
// launch: as-launched
#include <cmath>

__global__ void floor_of(float *out, int n, int tiles) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < tiles * 32)
    out[blockIdx.y * n + i] = blockIdx.y;
}

void run(float *out, unsigned n) {
  if (n < 1000000)
    floor_of<<<dim3((n + 31) / 32, 4), 32>>>(out, n, (int)floorf(n / 32.0f));
}
