// Each warp exchanges and sorts in memory of its own, and meets before it uses it again.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::WarpLoad<int, 2, cub::WARP_LOAD_TRANSPOSE> Load;
  typedef cub::WarpMergeSort<int, 2> Sort;
  __shared__ union {
    Load::TempStorage load;
    Sort::TempStorage sort;
  } lent[2];
  int items[2];
  const int warp = threadIdx.x / 32;
  Load(lent[warp].load).Load(in + warp * 64, items);
  __syncwarp();
  Sort(lent[warp].sort).Sort(items, [](int a, int b) { return a < b; });
  for (int n = 0; n < 2; ++n)
    out[blockIdx.x * 128 + threadIdx.x * 2 + n] = items[n];
}
