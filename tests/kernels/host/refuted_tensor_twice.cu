// The launch gives one tensor as input and as output: blocks overwrite what others read.
// launch: as-launched
#include <torch/extension.h>

__global__ void k(const float *in, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 256; i++)
      sum += s[i];
    out[blockIdx.x] = sum; // ~ HD0102
  }
}

void go(torch::Tensor x) { k<<<x.numel() / 256, 256>>>(x.data_ptr<float>(), x.data_ptr<float>()); }
