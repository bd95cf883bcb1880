// A group copies and waits for its copies: what they touch is not followed without named barriers.
// launch: grid=1 block=64
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void k(int *out, const int *in) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(int) * 64); // ~ HD0001
  cg::wait(block);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
