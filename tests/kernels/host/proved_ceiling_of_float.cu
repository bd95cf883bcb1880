// The number of blocks is the ceiling of a quotient of floats: exact in `double` for each `int`.
// launch: as-launched
#include <cmath>

__global__ void ceiling(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[blockIdx.y * gridDim.x * 256 + i] = blockIdx.y;
}

void run(float *out, int n) {
  ceiling<<<dim3(ceil(n / 256.0), 4), 256>>>(out, n);
}
