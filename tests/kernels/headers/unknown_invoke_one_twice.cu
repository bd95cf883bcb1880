// One thread of the block stores and one reads: nothing says that it is the same.
// launch: grid=1 block=64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
  __shared__ int s;
  auto block = cg::this_thread_block();
  cg::invoke_one(block, [&] { s = 1; }); // ~ HD0002
  cg::invoke_one(block, [&] { out[0] = s; });
}
