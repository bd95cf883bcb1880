// Tiles scan; the last lane stores the sum, which the other tile reads after the block has met.
// launch: grid=1 block=64
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void k(int *out, const int *in) {
  __shared__ int sums[2];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int v = in[threadIdx.x];
  int upTo = cg::inclusive_scan(tile, v, cg::plus<int>());
  if (tile.thread_rank() == tile.size() - 1)
    sums[tile.meta_group_rank()] = upTo;
  __syncthreads();
  out[threadIdx.x] = cg::exclusive_scan(tile, v) + sums[1 - tile.meta_group_rank()];
}
