// Blocks take the tiles in turn, and wait after each; the last round is not for all.
// launch: grid=2 block=32 n=3
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    cooperative_groups::this_grid().sync(); // ~ HD0201
  }
}
