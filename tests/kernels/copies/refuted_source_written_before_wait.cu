// The source of a copy is cleared before its own thread has waited: zeros may be what is copied.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(float *data, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &data[i], 4);
  __pipeline_commit();
  data[i] = 0; // ~ HD0105
  __pipeline_wait_prior(0);
  out[i] = s[t];
}
