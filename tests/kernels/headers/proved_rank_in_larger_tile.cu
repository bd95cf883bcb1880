// The rank of a tile within its warp, beside that of the warp within the block.
// launch: grid=1 block=64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto half = cg::tiled_partition<16>(warp);
  if (half.thread_rank() == 0)
    out[2 * warp.meta_group_rank() + half.meta_group_rank()] = threadIdx.x;
}
