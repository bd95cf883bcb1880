// Blocks take tile after tile: the ring is drained, and the block meets, before the next tile begins.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out, int n, int tiles) {
  __shared__ float buffer[3][64];
  int t = threadIdx.x;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float sum = 0;
    for (int s = 0; s < 2; s++) {
      if (s < n)
        __pipeline_memcpy_async(&buffer[s][t], &in[(tile * n + s) * 64 + t], 4);
      __pipeline_commit();
    }
    for (int i = 0; i < n; i++) {
      __pipeline_wait_prior(1);
      __syncthreads();
      if (i + 2 < n)
        __pipeline_memcpy_async(&buffer[(i + 2) % 3][t], &in[(tile * n + i + 2) * 64 + t], 4);
      __pipeline_commit();
      sum += buffer[i % 3][63 - t];
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[tile * 64 + t] = sum;
  }
}
