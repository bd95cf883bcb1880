// Two stages too many are filled for each tile, and waited for before the next tile begins.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out, int n, int tiles) {
  __shared__ float buffer[3][64];
  int t = threadIdx.x;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const float *from = in + tile * (n + 2) * 64 + t;
    float sum = 0;
    for (int s = 0; s < 2; s++) {
      __pipeline_memcpy_async(&buffer[s][t], from + s * 64, 4);
      __pipeline_commit();
    }
    for (int i = 0; i < n; i++) {
      __pipeline_wait_prior(1);
      __syncthreads();
      __pipeline_memcpy_async(&buffer[(i + 2) % 3][t], from + (i + 2) * 64, 4);
      __pipeline_commit();
      sum += buffer[i % 3][63 - t];
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[tile * 64 + t] = sum;
  }
}
