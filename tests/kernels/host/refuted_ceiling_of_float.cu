// A ceiling that is one too small for what the rows of the blocks take.
// launch: as-launched
#include <cmath>

__global__ void ceiling(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[blockIdx.y * n + i] = blockIdx.y; // ~ HD0102
}

void run(float *out, int n) {
  ceiling<<<dim3(ceil(n / 256.0), 4), 256>>>(out, n);
}
