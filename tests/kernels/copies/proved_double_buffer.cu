// Two buffers change places: the last round waits for all, the others leave the next copy pending.
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
      __pipeline_memcpy_async(&next[t], &in[(i + 1) * 64 + t], 4);
      __pipeline_commit();
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    sum += now[63 - t];
    __syncthreads();
    float *other = now;
    now = next;
    next = other;
  }
  out[blockIdx.x * 64 + t] = sum;
}
