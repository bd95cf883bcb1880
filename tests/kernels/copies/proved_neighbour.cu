// What another thread has copied is read after its wait and a barrier.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = s[63 - t];
}
