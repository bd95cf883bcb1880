// A block's barrier in two steps orders what comes before the first and after the second, and nothing between.
// launch: grid=1 block=64
#include <cooperative_groups.h>

__global__ void k(int *out) {
  __shared__ int s[64];
  auto block = cooperative_groups::this_thread_block();
  s[threadIdx.x] = threadIdx.x; // ~ HD0002
  auto token = block.barrier_arrive(); // ~ HD0001
  block.barrier_wait(static_cast<decltype(token) &&>(token)); // ~ HD0001
  out[threadIdx.x] = s[63 - threadIdx.x];
}
