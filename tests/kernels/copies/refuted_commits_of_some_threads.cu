// Threads that commit no later group are not helped by a wait that leaves one pending.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
  __shared__ float s[2][64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[0][t], &in[i], 4);
  __pipeline_commit();
  if (t < 32) {
    __pipeline_memcpy_async(&s[1][t], &in[i + 64], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  float first = s[0][t]; // ~ HD0105
  __pipeline_wait_prior(0);
  out[i] = first + (t < 32 ? s[1][t] : 0);
}
