// Names of cuda::std and of cuda, in kernels.
#include <cuda/annotated_ptr>
#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>
#include <cuda/stream_ref>

namespace cs = cuda::std;
using Matrix = cs::mdspan<float, cs::extents<int, cs::dynamic_extent, 4>>;
using Columns = cs::mdspan<const float, cs::dextents<size_t, 2>, cs::layout_left>;
static_assert(cs::popcount(7u) == 3 && cs::countl_zero((unsigned char)1) == 7 && cs::bit_ceil(5u) == 8, "");
static_assert(cs::rotl((unsigned char)0x81, 1) == 3 && cs::has_single_bit(64u) && cs::bit_width(0u) == 0, "");
static_assert(cuda::ceil_div(10, 4) == 3 && cuda::round_up(10, 4) == 12 && cuda::round_down(10u, 4u) == 8, "");
static_assert(Matrix::rank() == 2 && Matrix::static_extent(1) == 4, "");

__global__ void k(cs::span<float> s, cs::array<int, 4> a, cs::tuple<int, float> t, Matrix m, Columns c) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < s.size() && i < m.extent(0) && i < c.extent(0))
    s[i] = a[i & 3] + cs::get<0>(t) + m(i, 1) + c(i, 0);
  cs::complex<float> z(1.f, 2.f);
  s[i] += (z * z).real() + cs::bit_cast<float>(3u) + s.subspan(1, 2)[0] + s.first(3)[1] + s.back();
  for (float &x : s)
    x += 1;
}
__global__ void hinted(cuda::annotated_ptr<int, cuda::access_property::persisting> p, int n) {
  if (threadIdx.x < n)
    p[threadIdx.x] = n;
}
void started(float *p, float (&fixed)[8], cudaStream_t stream) {
  k<<<cuda::ceil_div(100, 32), 32, 0, cuda::stream_ref(stream).get()>>>(cs::span(p, 100), {}, {}, Matrix(p, 25),
                                                                       Columns(p, 5, 5));
  cs::span<const float> all = fixed;
  cs::mdspan deduced(p, 5, 20);
  k<<<1, 32>>>({p, all.size()}, {}, {}, Matrix(p, 25), Columns(p, deduced.extent(0), deduced.extent(1)));
}
