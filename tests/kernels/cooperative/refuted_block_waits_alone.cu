// Block 0 waits for a block that never comes.
// launch: grid=2 block=64
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (blockIdx.x == 0) cooperative_groups::this_grid().sync(); // ~ HD0201
  g[blockIdx.x * 64 + threadIdx.x] = 1;
}
