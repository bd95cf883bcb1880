// A part of a tensor has its memory, from a place that is not followed.
// launch: as-launched
#include <torch/extension.h>

__global__ void k(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(torch::Tensor a, int n) {
  auto b = a.narrow(0, 4, n);
  k<<<n / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>());
}
