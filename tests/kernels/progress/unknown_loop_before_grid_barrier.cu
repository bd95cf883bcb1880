// Block 0 polls what block 1 writes only after the grid barrier, and writes the element beside it.
// launch: grid=2 block=32
#include <cooperative_groups.h>
__global__ void k(int *flag) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    while (flag[0] == 0) // ~ HD0002
      flag[1] = 1;
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x == 1)
    flag[0] = 1;
}
