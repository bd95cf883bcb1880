// Which of two arrays of its neighbour a block writes to is chosen: such an address may lead anywhere.
// launch: grid=any block=any cluster=2 passes=races
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int *out, int which) {
  __shared__ int one[64], two[64];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned other = cluster.block_rank() ^ 1;
  int *there = cluster.map_shared_rank(one, other);
  if (which)
    there = cluster.map_shared_rank(two, other);
  one[threadIdx.x & 63] = 1; // ~ HD0002 HD0103
  there[threadIdx.x & 63] = 2;
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = one[threadIdx.x & 63] + two[0];
}
