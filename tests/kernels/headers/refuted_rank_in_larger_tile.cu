// The rank of a tile counts within the larger tile that it is a part of, so two warps have the same.
// launch: grid=1 block=64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto half = cg::tiled_partition<16>(warp);
  if (half.thread_rank() == 0)
    out[half.meta_group_rank()] = threadIdx.x;  // ~ HD0101
}
