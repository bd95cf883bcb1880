// Views of arrays (cuda::std::span and mdspan) index the memory that they are of.
// launch: grid=any,any block=16,16
#include <cuda/std/mdspan>
#include <cuda/std/span>
using Matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
__global__ void k(float *out, const float *in, int rows) {
  __shared__ float tile[16][17];
  Matrix to(out, rows, 512);
  cuda::std::span<const float> from(in, rows * 512);
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  bool is_inside = x < to.extent(1) && y < to.extent(0);
  tile[threadIdx.y][threadIdx.x] = is_inside ? from[y * 512 + x] : 0;
  __syncthreads();
  if (is_inside)
    to(y, x) = tile[threadIdx.y][threadIdx.x ^ 1];
}
