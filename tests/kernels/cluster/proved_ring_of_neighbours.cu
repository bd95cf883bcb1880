// Each block writes into the shared memory of the next one of its cluster, round by round.
// launch: grid=any block=any passes=races,barrier-divergence
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) __launch_bounds__(128) k(float *data, int rounds) {
  __shared__ float box[2][128];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  float value = data[blockIdx.x * 128 + threadIdx.x];
  for (int i = 0; i < rounds; i++) {
    float *there = cluster.map_shared_rank(&box[i & 1][0], next);
    there[threadIdx.x] = value;
    cluster.sync();
    value += box[i & 1][127 - threadIdx.x];
  }
  data[blockIdx.x * 128 + threadIdx.x] = value;
  cluster.sync();
}
