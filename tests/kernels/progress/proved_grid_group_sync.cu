// The barrier of a cooperative launch, in which all blocks are resident.
// launch: grid=any block=any passes=progress
#include <cooperative_groups.h>
__global__ void k(int *data, int n) {
  for (int i = 0; i < n; ++i) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = i;
    cooperative_groups::this_grid().sync();
  }
}
