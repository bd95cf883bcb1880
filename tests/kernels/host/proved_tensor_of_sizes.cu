// A tensor is made with rows of three: the stride of its rows is known, whether or not a kernel reads their length.
// launch: as-launched
#include <torch/extension.h>

__global__ void k(torch::PackedTensorAccessor32<float, 2> out) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < out.size(0)) {
    out[n][0] = n;
    out[n][1] = 2 * n;
    out[n][2] = 3 * n;
  }
}

torch::Tensor run(const torch::Tensor in) {
  const int n = in.size(0);
  auto out = torch::zeros({n, 3}, in.options());
  const at::cuda::OptionalCUDAGuard guard(device_of(in));
  k<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(out.packed_accessor32<float, 2>());
  return out;
}
