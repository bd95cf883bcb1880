// Two copies of one thread to one place: nothing orders them, and either may be the last.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *a, const float *b, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &a[i], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[t], &b[i], 4); // ~ HD0105
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = s[t];
}
