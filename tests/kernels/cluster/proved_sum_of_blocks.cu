// Blocks of a cluster leave their sums in shared memory, and the first adds them up.
// launch: grid=any block=any passes=races,barrier-divergence,named-barriers
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) __launch_bounds__(256) k(const float *in, float *out, int n) {
  __shared__ float buffer[256];
  __shared__ float part;
  cg::cluster_group cluster = cg::this_cluster();
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    sum += in[i];
  buffer[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      buffer[threadIdx.x] += buffer[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    part = buffer[0];
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    float all = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); rank++)
      all += *cluster.map_shared_rank(&part, rank);
    out[blockIdx.x / 4] = all;
  }
  cluster.sync();
}
