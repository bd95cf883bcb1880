// Whichever lane runs a function for its warp, the warp meets before another one reads what it wrote.
// launch: grid=1 block=64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
  __shared__ int found[2];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int at = warp.meta_group_rank();
  cg::invoke_one(warp, [&] { found[at] = threadIdx.x; });
  warp.sync();
  if (warp.thread_rank() == 31)
    out[at] = found[at];
}
