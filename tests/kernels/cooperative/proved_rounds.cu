// All blocks wait equally often.
// launch: grid=3 block=32
#include <cooperative_groups.h>
__global__ void k(int *g, int n) {
  for (int i = 0; i < n; i++) {
    cooperative_groups::this_grid().sync();
  }
}
