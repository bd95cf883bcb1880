// The barrier stands before the wait: it says nothing of the other thread's copy.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[i] = s[63 - t];  // ~ HD0101
}
