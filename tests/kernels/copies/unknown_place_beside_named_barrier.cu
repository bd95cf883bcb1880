// The block meets at a numbered barrier before its waits, and reads places that the data choose.
// launch: grid=1 block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, const int *index, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = s[index[t] & 63]; // ~ HD0002
  __pipeline_wait_prior(0);
}
