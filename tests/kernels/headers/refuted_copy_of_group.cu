// A group copies, and its threads meet at a barrier of the block that waits for no copy.
// launch: grid=1 block=64
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void k(int *out, const int *in) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(int) * 64);
  block.sync();
  out[threadIdx.x] = s[63 - threadIdx.x]; // ~ HD0101 HD0105
}
