// The first lane of each label stores in the word of the label.
// launch: grid=1 block=32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int label = threadIdx.x / 8;
  auto same = cg::labeled_partition(warp, label);
  if (same.thread_rank() == 0)
    out[label] = threadIdx.x;
}
