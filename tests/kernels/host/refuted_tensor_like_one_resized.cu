// A tensor is made like another one, which then gets a dimension: the second sizes are not the same.
// launch: as-launched
#include <torch/extension.h>

__global__ void like_rows(float *out, int n, int columns, int stride) {
  int row = blockIdx.x;
  if (row < n)
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
      out[row * stride + i] = row; // ~ HD0102
}

void run(torch::Tensor x) {
  auto y = torch::empty_like(x);
  x.unsqueeze_(0);
  like_rows<<<4, 128>>>(x.data_ptr<float>(), 4, x.size(1), y.size(1));
}
