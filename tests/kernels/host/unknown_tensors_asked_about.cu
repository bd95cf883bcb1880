// Questions to a tensor and to its copy do not give them memory of their own.
// launch: as-launched
#include <torch/extension.h>

__global__ void k(const float *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  if (i < n)
    out[i] += in[n - 1 - i];
}

void go(at::Tensor in, unsigned n) {
  at::Tensor out = in;
  TORCH_CHECK(in.is_contiguous(), "in");
  TORCH_CHECK(out.is_contiguous(), "out");
  k<<<(n + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
}
