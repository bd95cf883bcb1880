// Two tensors are made like a third one, and each has memory of its own.
// launch: as-launched
#include <torch/extension.h>

__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

void run(torch::Tensor like) {
  auto in = torch::zeros_like(like);
  auto out = torch::empty_like(like);
  auto copy = torch::empty_like(like);
  neighbours<<<8, 64>>>(in.data_ptr<float>(), out.data_ptr<float>());
  neighbours<<<8, 64>>>(out.data_ptr<float>(), copy.data_ptr<float>());
}
