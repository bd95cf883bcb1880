// A block that has nothing to do waits with the others.
// launch: grid=any block=64
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (blockIdx.x * 64 < n) g[blockIdx.x * 64 + threadIdx.x] = n;
  cooperative_groups::this_grid().sync();
}
