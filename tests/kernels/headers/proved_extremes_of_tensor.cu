// The least of a tensor along a dimension comes with its place, and a sorted one with its order.
// launch: as-launched
#include <torch/extension.h>

template <class T> __global__ void copy(const T *in, T *out, long n) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
void run(torch::Tensor points) {
  auto start = std::get<0>(points.min(0));
  auto [end, place] = points.max(0, true);
  torch::Tensor most = points.max(), other = at::max(start, end), least = at::min(points);
  auto order = std::get<1>(points.sort(0));
  auto [best, where] = at::max(other, 0);
  auto out = torch::empty_like(start);
  copy<float><<<1, 256>>>(start.data_ptr<float>(), out.data_ptr<float>(), out.numel());
}
