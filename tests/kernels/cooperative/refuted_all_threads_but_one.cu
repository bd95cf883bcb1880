// A thread that has returned is missed at a grid barrier.
// launch: grid=2 block=64
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  if (threadIdx.x == 1) return;
  cooperative_groups::this_grid().sync(); // ~ HD0201
}
