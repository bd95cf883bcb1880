// A tensor is made with rows of two, of which a kernel writes three elements.
// launch: as-launched
#include <torch/extension.h>

__global__ void k(torch::PackedTensorAccessor32<float, 2> out) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < out.size(0)) {
    out[n][0] = n; // ~ HD0101
    out[n][1] = 2 * n;
    out[n][2] = 3 * n;
  }
}

torch::Tensor run(const torch::Tensor in) {
  const int n = in.size(0);
  auto out = torch::zeros({n, 2}, in.options());
  k<<<(n + 255) / 256, 256>>>(out.packed_accessor32<float, 2>());
  return out;
}
