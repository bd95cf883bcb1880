// What extensions of PyTorch use of it: tensors and streams in host code, accessors, short floats and loops in kernels.
#include <ATen/AccumulateType.h>
#include <ATen/Context.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/DeviceUtils.cuh>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <THC/THCAtomics.cuh>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>
#include <torch/library.h>

template <class T> __global__ void scale(const T *x, T *y, int64_t n, float by) {
  CUDA_KERNEL_LOOP_TYPE(i, n, int64_t) y[i] = static_cast<T>(static_cast<float>(x[i]) * by);
}
template <class T>
__global__ void C10_LAUNCH_BOUNDS_1(128) rows(torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> a,
                                              torch::PackedTensorAccessor64<T, 1> out) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= a.size(0)) return;
  at::acc_type<T, true> sum = 0;
  for (int c = 0; c < a.size(1); ++c)
    sum += a[r][c];
  out[r] = sum;
}
template <class T> __global__ void total(const T *x, T *sum, int n) {
  at::opmath_type<T> own = 0;
  CUDA_KERNEL_LOOP(i, n) own += x[i];
  for (int by = C10_WARP_SIZE / 2; by > 0; by /= 2)
    own += WARP_SHFL_DOWN(own, by);
  if (threadIdx.x % C10_WARP_SIZE == 0) gpuAtomicAdd(sum, static_cast<T>(own));
}
__global__ void numbers(c10::Half *h, at::BFloat16 *b, float *f) {
  CUDA_KERNEL_ASSERT(blockDim.x <= 64);
  int i = threadIdx.x;
  h[i] = h[i] * h[i] + 2 * h[i] - c10::Half(0.5f);
  h[i] += c10::Half(1.f);
  b[i] = -b[i] / at::BFloat16(3.f);
  f[i] = h[i] * 2.f + (float)b[i];
  if (h[i] > h[i + 1] || h[i] == 0.f) h[i] = std::numeric_limits<c10::Half>::lowest();
  atomicAdd(&h[0], h[1]);
  f[0] = c10::cuda::compat::exp(f[1]) + ::pow(f[2], 0.5);
}

namespace {
template <class T> void launch_total(const at::Tensor &x, at::Tensor &sum) {
  total<T><<<4, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<T>(), sum.data_ptr<T>(), x.numel());
}
} // namespace

std::vector<torch::Tensor> run(torch::Tensor x, double by, c10::optional<torch::Tensor> mask) {
  TORCH_CHECK(x.is_cuda(), "x is on ", x.device(), ", not on a GPU");
  TORCH_CHECK_EQ(x.dim(), 2);
  AT_ASSERTM(x.is_contiguous(), "x has gaps");
  TORCH_CHECK(at::cuda::detail::canUse32BitIndexMath(x), "x is too large");
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty_like(x);
  auto options = torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA, x.get_device());
  auto sums = torch::zeros({x.size(0)}, x.options().dtype(x.dtype()).requires_grad(false));
  at::Tensor sum = at::zeros({1, 2}, options), more = at::full({x.size(0), 3}, 1.5, at::dtype(at::kLong));
  if (x.options().dtype() != torch::kHalf) {
    std::cout << x.options() << std::endl;
    throw std::runtime_error("values must be torch::kHalf");
  }
  if (mask.has_value() && mask.value().sizes() != x.sizes()) AT_ERROR("sizes differ");
  int64_t n = x.numel();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(), "scale", [&] {
    scale<scalar_t><<<at::ceil_div(n, (int64_t)256), 256>>>(x.data_ptr<scalar_t>(), y.mutable_data_ptr<scalar_t>(), n, by);
  });
  AT_DISPATCH_FLOATING_TYPES(x.type(), "rows", ([&] {
    rows<scalar_t><<<at::cuda::ATenCeilDiv(x.size(0), (int64_t)128), 128>>>(
        x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), sums.packed_accessor64<scalar_t, 1>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }));
  AT_DISPATCH_SWITCH(x.scalar_type(), "total", AT_DISPATCH_CASE(at::ScalarType::Half, [&] {
                       launch_total<scalar_t>(x, sum);
                     }) AT_DISPATCH_CASE(at::ScalarType::Double, [&] { launch_total<scalar_t>(x, sum); }));
  numbers<<<1, 64>>>(reinterpret_cast<c10::Half *>(x.data_ptr()), nullptr, static_cast<float *>(sum.data_ptr()));
  AT_CUDA_CHECK(cudaGetLastError());
  return {y.view({-1}).to(torch::kFloat), sums + sum, more.t().contiguous()};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("run", &run, "scales and sums", py::arg("x"), py::arg("by") = 2.0, py::arg("mask").none(true));
}
TORCH_LIBRARY(scales, m) { m.def("run(Tensor x, float by) -> Tensor[]"); }
TORCH_LIBRARY_IMPL(scales, CUDA, m) { m.impl("run", &run); }

// What a tensor can be asked, and which device is chosen.
__global__ void marks(const int64_t *index, at::cuda::detail::TensorInfo<int64_t, int> info, c10::BFloat16 *out) {
  c10::BFloat16 own = out[at::cuda::detail::IndexToOffset<int64_t, int, -1>::get(threadIdx.x, info)];
  out[threadIdx.x] = __shfl_down_sync(~0u, own, 1);
}
void mark(torch::Tensor index, torch::Tensor out) {
  c10::cuda::MaybeSetDevice(out.get_device());
  auto info = at::cuda::detail::getTensorInfo<int64_t, int>(index);
  out.masked_fill_(out == 0, 1);
  marks<<<1, 64>>>(index.data_ptr<int64_t>(), info, out.data_ptr<c10::BFloat16>());
  if ((index < out).any().item<bool>() && std::get<0>(out.sort(0)).numel() > 0)
    out = out + 1.5 - index;
}

// Errors that a template of the host throws.
template <bool IsSmall> void filled(torch::Tensor out, int bits) {
  if (bits != 1)
    throw c10::TypeError({__func__, __FILE__, uint32_t(__LINE__)}, c10::str("no kernel for ", bits));
  marks<<<1, IsSmall ? 32 : 64>>>(nullptr, {}, out.data_ptr<c10::BFloat16>());
}
void fill(torch::Tensor out) { filled<true>(out, 1); }
