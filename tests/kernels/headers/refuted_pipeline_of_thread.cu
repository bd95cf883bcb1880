// Copies of one thread, waited for after the block meets, by the functions of cuda_pipeline.h.
// launch: grid=1 block=64
#include <cuda_pipeline.h>

__global__ void k(int *out, const int *in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[t] = s[63 - t]; // ~ HD0101
}
