// A block that has nothing to do returns; the grid barrier counts it all the same.
// launch: grid=any block=64
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (blockIdx.x * 64 >= n) return;
  cooperative_groups::this_grid().sync(); // ~ HD0201
}
