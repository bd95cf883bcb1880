// Blocks wait at two barriers that differ in the text.
// launch: grid=2 block=64
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (blockIdx.x == 0) cooperative_groups::this_grid().sync(); // ~ HD0201
  else cooperative_groups::this_grid().sync(); // ~ HD0201
}
