// Tiles of 16 lanes reduce, and another tile reads the sum while it is stored.
// launch: grid=1 block=64
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void k(int *out, const int *in) {
  __shared__ int sums[4];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0)
    sums[tile.meta_group_rank()] = sum; // ~ HD0101
  tile.sync();
  out[threadIdx.x] = sums[3 - threadIdx.x / 16];
}
