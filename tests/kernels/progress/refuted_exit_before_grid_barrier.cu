// One thread of block 1 exits in PTX, which the compiler is told is the end; the grid waits for it.
// launch: grid=4 block=64
#include <cooperative_groups.h>
__global__ void k(int *out) {
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    asm volatile("exit;");
    __builtin_unreachable();
  }
  cooperative_groups::this_grid().sync();  // ~ HD0201
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}
