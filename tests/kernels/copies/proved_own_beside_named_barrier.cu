// A thread copies twice to its own place, each time with a wait; then the block meets at a numbered barrier.
// launch: grid=1 block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  float first = s[t];
  __pipeline_memcpy_async(&s[t], &in[t + 64], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = first + s[63 - t];
}
