// A function that changes a tensor in place gives that tensor back.
// launch: as-launched
#include <torch/extension.h>

__global__ void given_shift(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1]; // ~ HD0101
}

void run(torch::Tensor a, int n) {
  auto b = a.zero_();
  given_shift<<<n / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>());
}
