// A block copies as many bytes as the host says, perhaps more than there is room for.
// launch: grid=1 block=128 passes=async-copies
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(float *out, float *in, int n) {
  __shared__ alignas(16) float tile[128];
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  float sum = 0;
  cg::memcpy_async(block, tile, in, n * 4); // ~ HD0002
  cg::wait(block);
  if (127 - t < n) sum = tile[127 - t];
  out[t] = sum;
}
