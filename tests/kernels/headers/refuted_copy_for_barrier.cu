// A block copies a tile asynchronously, and reads it before the barrier has waited for the copies.
// launch: grid=1 block=64
#include <cooperative_groups.h>
#include <cuda/barrier>

__global__ void k(int *out, const int *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  __shared__ alignas(16) int s[64];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0)
    init(&full, block.size());
  block.sync();
  cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(256), full); // ~ HD0101
  out[threadIdx.x] = s[63 - threadIdx.x];
  full.arrive_and_wait();
}
