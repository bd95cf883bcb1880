// A copy of a tensor is resized in place, after which its stride may be any.
// launch: as-launched
#include <torch/extension.h>

__global__ void rows(const float *in, float *out, int n, int columns, int stride) {
  int row = blockIdx.x;
  if (row < n)
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
      out[row * stride + j] = in[row * columns + j]; // ~ HD0102
}

torch::Tensor run(torch::Tensor in) {
  int n = in.size(0), columns = in.size(1);
  auto out = torch::empty({n, columns}, in.options());
  auto copy = out;
  copy.resize_({columns, n});
  rows<<<n, 128>>>(in.data_ptr<float>(), out.data_ptr<float>(), n, columns, out.stride(0));
  return out;
}
