// An extension of PyTorch: a check of the host keeps rows apart, and each type that a tensor may have is an instance.
// launch: as-launched
#include <torch/extension.h>

template <class T> __global__ void torch_rows(const T *in, T *out, int rows, int width, int pitch) {
  int row = blockIdx.x, column = threadIdx.x;
  if (row < rows && column < width)
    out[row * pitch + column] = in[row * pitch + column] + static_cast<T>(row);
}

torch::Tensor scaled(torch::Tensor in) {
  auto out = torch::empty_like(in);
  int rows = in.size(0), width = in.size(1), pitch = in.stride(0);
  TORCH_CHECK(width <= pitch, "rows overlap");
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "torch_rows", [&] {
    torch_rows<scalar_t><<<rows, 128>>>(in.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), rows, width, pitch);
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scaled", &scaled); }
