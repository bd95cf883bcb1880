// The rounds are counted for all blocks together.
// launch: grid=2 block=32 n=3
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  for (int i = 0; i < n; i += gridDim.x) {
    cooperative_groups::this_grid().sync();
  }
}
