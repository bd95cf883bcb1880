// Whether the blocks wait is the same for all of them.
// launch: grid=2 block=64
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (n == 0) cooperative_groups::this_grid().sync();
  g[blockIdx.x * 64 + threadIdx.x] = 1;
}
