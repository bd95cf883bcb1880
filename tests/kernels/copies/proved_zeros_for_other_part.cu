// Copies that fill the upper half with zeros read the lower one; the upper one is written.
// launch: grid=2 block=64
#include <cuda_pipeline.h>
__global__ void k(int2 *data) {
  __shared__ int2 s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &data[i], 8, 4);
  __pipeline_commit();
  data[i].y = t;
  __pipeline_wait_prior(0);
  data[i].x = s[t].x;
}
