// Two views of one array whose columns are counted otherwise meet.
// launch: grid=1 block=16,16
#include <cuda/std/mdspan>
using Rows = cuda::std::mdspan<int, cuda::std::extents<int, 16, 16>>;
using Columns = cuda::std::mdspan<int, cuda::std::extents<int, 16, 16>, cuda::std::layout_left>;
__global__ void k(int *out) {
  Rows a(out);
  Columns b(out);
  a(threadIdx.y, threadIdx.x) = 1; // ~ HD0101
  b(threadIdx.y, threadIdx.x) = 2;
}
