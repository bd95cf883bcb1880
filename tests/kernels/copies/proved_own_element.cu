// Each thread copies its own element and waits for it: no barrier is needed.
// launch: grid=any block=any
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n) __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (i < n) out[i] = s[t] * 2.0f;
}
