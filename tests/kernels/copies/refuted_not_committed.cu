// The copy is committed after the wait: it belongs to no group that the wait could complete.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_wait_prior(0);
  out[i] = s[t]; // ~ HD0105
  __pipeline_commit();
}
