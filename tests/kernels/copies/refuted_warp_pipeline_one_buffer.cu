// A warp copies for itself into one buffer, which is copied to anew while other lanes may still read it.
// launch: grid=any block=64
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out, int n) {
  __shared__ float buffer[64];
  int t = threadIdx.x, first = t & ~31;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    __pipeline_memcpy_async(&buffer[t], &in[i * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    sum += buffer[first + 31 - (t & 31)]; // ~ HD0101
  }
  out[blockIdx.x * 64 + t] = sum;
}
