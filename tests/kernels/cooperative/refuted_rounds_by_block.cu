// A block waits as often as its index says.
// launch: grid=3 block=32
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  for (int i = 0; i <= blockIdx.x; i++) {
    cooperative_groups::this_grid().sync(); // ~ HD0201
  }
}
