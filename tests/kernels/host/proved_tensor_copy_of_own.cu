// A copy of a tensor that the file made, and that no other file is given.
// launch: as-launched
#include <torch/extension.h>

__global__ void own_rows(float *out, int n, int columns, int stride) {
  int row = blockIdx.x;
  if (row < n)
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
      out[row * stride + i] = row;
}

void run(int n) {
  auto a = torch::empty({n, 8});
  auto b = a;
  own_rows<<<n, 128>>>(b.data_ptr<float>(), n, b.size(1), b.stride(0));
}
