// Nothing orders a copy into the shared memory of a block and the read of it by another: these are not compared.
// launch: grid=any block=64 cluster=2 passes=races
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__global__ void k(const int *in, int *out) {
  __shared__ int s[64];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4); // ~ HD0002
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x];
  cluster.sync();
}
