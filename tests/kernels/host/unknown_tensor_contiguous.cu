// A tensor that may be a view of the other may have its memory.
// launch: as-launched
#include <torch/extension.h>

__global__ void k(const float *in, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x]; // ~ HD0002
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 256; i++)
      sum += s[i];
    out[blockIdx.x] = sum;
  }
}

void go(torch::Tensor x) {
  auto y = x.contiguous();
  k<<<x.numel() / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
}
