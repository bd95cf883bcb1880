// All blocks look at one flag.
// launch: grid=2 block=64
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (g[0] == 3) cooperative_groups::this_grid().sync();
}
