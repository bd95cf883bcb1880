// A warp copies for itself: its lanes meet at a warp barrier after their waits, and in the round between.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out, int n) {
  __shared__ float buffer[2][64];
  int t = threadIdx.x, first = t & ~31;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    __pipeline_memcpy_async(&buffer[i & 1][t], &in[i * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    sum += buffer[i & 1][first + 31 - (t & 31)];
  }
  out[blockIdx.x * 64 + t] = sum;
}
