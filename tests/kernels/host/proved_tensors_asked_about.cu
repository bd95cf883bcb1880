// Questions to tensors change none of them: each parameter has memory of its own.
// launch: as-launched
#include <torch/extension.h>

__global__ void k(const float *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += in[n - 1 - i];
}

void go(at::Tensor in, at::Tensor out, unsigned n) {
  TORCH_CHECK(in.is_contiguous(), "in");
  TORCH_CHECK(out.is_contiguous() && out.device().is_cuda(), "out");
  AT_DISPATCH_SWITCH(in.scalar_type(), "k", AT_DISPATCH_CASE(at::kFloat, [&] {
    k<<<(n + 255) / 256, 256>>>(in.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n);
  }));
}
