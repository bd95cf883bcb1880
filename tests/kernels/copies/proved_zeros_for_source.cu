// Copies that fill with zeros read nothing: their source may be written.
// launch: grid=2 block=64
#include <cuda_pipeline.h>
__global__ void k(int *data) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &data[i], 4, 4);
  __pipeline_commit();
  data[i] = t;
  __pipeline_wait_prior(0);
  data[i] = s[t];
}
