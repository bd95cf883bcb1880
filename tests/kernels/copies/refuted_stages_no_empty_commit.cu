// At the tail nothing is copied and nothing committed, so the wait leaves the last tiles pending.
// launch: grid=any block=128
#include <cuda_pipeline.h>
constexpr int STAGES = 3;
__global__ void k(const float *in, float *out, int tiles) {
  __shared__ float s[STAGES][128];
  int t = threadIdx.x;
#pragma unroll
  for (int j = 0; j < STAGES - 1; ++j) {
    if (j < tiles) __pipeline_memcpy_async(&s[j][t], &in[j * 128 + t], 4);
    __pipeline_commit();
  }
  float sum = 0;
  for (int i = 0; i < tiles; ++i) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    int next = i + STAGES - 1;
    if (next < tiles) {
      __pipeline_memcpy_async(&s[next % STAGES][t], &in[next * 128 + t], 4);  // ~ HD0108
      __pipeline_commit();
    }
    sum += s[i % STAGES][127 - t];  // ~ HD0101
  }
  out[blockIdx.x * 128 + t] = sum;
}
