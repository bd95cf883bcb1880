// A block that overwrites its shared memory before it ends races with those that read it.
// launch: grid=any block=any cluster=2 passes=races
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int *out) {
  __shared__ int s[64];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 64)
    s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  int *there = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = there[threadIdx.x & 63];
  if (threadIdx.x < 64)
    s[threadIdx.x] = 0; // ~ HD0102
}
