// A block reads its bins while others of the cluster still count there.
// launch: grid=any block=any cluster=2 passes=races
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int *bins, int count, int each, const int *__restrict__ in, int n) {
  extern __shared__ int mine[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < each; i += blockDim.x)
    mine[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int bin = min(max(in[i], 0), count - 1);
    int *theirs = cluster.map_shared_rank(mine, bin / each);
    atomicAdd(theirs + bin % each, 1); // ~ HD0102
  }
  __syncthreads();
  for (int i = threadIdx.x; i < each; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * each + i], mine[i]);
}
