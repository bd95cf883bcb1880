// The wait leaves the one group pending that was committed.
// launch: grid=any block=any
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n) __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  if (i < n) out[i] = s[t] * 2.0f;  // ~ HD0105
}
