// The stride of a view may be any, whatever the sizes of the tensor that it is made of are.
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
  auto made = torch::empty({n, columns}, in.options());
  auto out = made.t();
  rows<<<n, 128>>>(in.data_ptr<float>(), out.data_ptr<float>(), n, columns, out.stride(0));
  return out;
}
