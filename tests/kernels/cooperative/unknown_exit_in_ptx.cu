// A thread ends in PTX on the way to the grid barrier, which waits for all.
// launch: grid=2 block=32
#include <cooperative_groups.h>
__global__ void k(int *g) {
  if (threadIdx.x == 7)
    asm volatile("exit;"); // ~ HD0002
  cooperative_groups::this_grid().sync();
}
