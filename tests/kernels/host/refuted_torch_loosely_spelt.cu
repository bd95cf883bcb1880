// Parts of PyTorch, and of what is read before a file, that a host's function uses are known: its launch is checked.
// launch: as-launched
#include <ATen/CUDAGeneratorImpl.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <torch/extension.h>
__global__ void loosely(const c10::Half *in, half *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    half value(in[i]);
    value = in[i];
    out[i / 2] = value; // ~ HD0101
  }
}
torch::Tensor go(torch::Tensor in, torch::Tensor a, torch::Tensor b) {
  CUcontext context;
  unsigned long long id;
  cuCtxGetCurrent(&context);
  cuCtxGetId(context, &id);
  int n = in.size(0);
  TORCH_CHECK(n > 1, "no pairs")
  auto out = torch::empty({n}, in.options());
  auto product = torch::empty_like(a);
  at::addmm_out(product, a, a, b);
  auto first = at::slice(a, 0, 0, 1);
  int was = std::exchange(n, int(in.size(0)));
  loosely<<<(n + 63) / 64, 64>>>(in.data_ptr<at::Half>(), reinterpret_cast<half *>(out.data_ptr<at::Half>()), n);
  return out;
}
