// Tensors that the host makes or is given apart have memory of their own.
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
    out[blockIdx.x] = sum;
  }
}

torch::Tensor go(torch::Tensor x) {
  auto sums = torch::empty({x.numel() / 256}, x.options());
  k<<<x.numel() / 256, 256>>>(x.data_ptr<float>(), sums.data_ptr<float>());
  return sums;
}
