// The first round copies one stage more than the ring has, to the place of the first.
// launch: grid=any block=64
#include <cuda_pipeline.h>
constexpr int STAGES = 4;
__global__ void k(const float *in, float *out, int tiles) {
  __shared__ float ring[STAGES][64];
  int t = threadIdx.x, ahead = 0;
  float sum = 0;
  for (int i = 0; i < tiles; i++) {
    for (; ahead <= i + STAGES; ahead++) {
      if (ahead < tiles)
        __pipeline_memcpy_async(&ring[ahead % STAGES][t], &in[ahead * 64 + t], 4); // ~ HD0105
      __pipeline_commit();
    }
    __pipeline_wait_prior(STAGES - 1);
    sum += ring[i % STAGES][t]; // ~ HD0105
  }
  out[blockIdx.x * 64 + t] = sum;
}
