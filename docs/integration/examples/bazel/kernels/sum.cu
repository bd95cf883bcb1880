// The sum of each block's elements.
#include "index.cuh"

__global__ void __launch_bounds__(256) sum(const float *in, float *out) {
  __shared__ float part[256];
  part[threadIdx.x] = in[index_in_grid()];
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step && threadIdx.x + step < blockDim.x) part[threadIdx.x] += part[threadIdx.x + step];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
