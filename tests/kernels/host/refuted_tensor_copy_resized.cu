// A copy of a tensor is the same tensor, which another file is given by reference and may resize.
// launch: as-launched
#include <torch/extension.h>

void grow(torch::Tensor &);

__global__ void copy_rows(float *out, int n, int columns, int stride) {
  int row = blockIdx.x;
  if (row < n)
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
      out[row * stride + i] = row; // ~ HD0102
}

void run(int n) {
  auto a = torch::empty({n, 8});
  auto b = a;
  grow(a);
  copy_rows<<<n, 128>>>(b.data_ptr<float>(), n, b.size(1), b.stride(0));
}
