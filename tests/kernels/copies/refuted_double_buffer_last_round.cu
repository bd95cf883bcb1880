// Two buffers change places, and the last round leaves a copy pending like the others: its own.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out, int n) {
  __shared__ float buffer[2][64];
  int t = threadIdx.x;
  float *now = buffer[0], *next = buffer[1], sum = 0;
  __pipeline_memcpy_async(&now[t], &in[t], 4);  // ~ HD0108
  __pipeline_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) {
      __pipeline_memcpy_async(&next[t], &in[(i + 1) * 64 + t], 4);  // ~ HD0108
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += now[63 - t]; // ~ HD0101
    __syncthreads();
    float *other = now;
    now = next;
    next = other;
  }
  out[blockIdx.x * 64 + t] = sum;
}
