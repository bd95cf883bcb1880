// What was copied is scaled in place, in global memory, once its own thread has waited.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(float *data) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &data[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  data[i] = s[t] * 2;
}
