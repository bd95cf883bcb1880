// The first block to come waits; nobody follows which that is.
// launch: grid=2 block=1
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (atomicAdd(g, 1) == 0) cooperative_groups::this_grid().sync(); // ~ HD0002
}
