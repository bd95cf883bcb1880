// Rows of a tensor of PyTorch: its elements lie one after the other, as far as the host can tell.
// launch: as-launched
#include <torch/extension.h>

template <class T>
__global__ void add(torch::PackedTensorAccessor32<T, 2> in, torch::PackedTensorAccessor32<T, 2> out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < out.size(1))
    out[y][x] = in[y][x] + 1;
}

void run(torch::Tensor in, torch::Tensor out) {
  const dim3 grid((out.size(1) + 255) / 256, out.size(0));
  add<float><<<grid, 256>>>(in.packed_accessor32<float, 2>(), out.packed_accessor32<float, 2>());
}
