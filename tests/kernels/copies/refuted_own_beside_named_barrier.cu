// A thread reads its own copy before its wait; that the block meets at a numbered barrier changes nothing.
// launch: grid=1 block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4); // ~ HD0105
  __pipeline_commit();
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = s[t];
  __pipeline_wait_prior(0);
}
