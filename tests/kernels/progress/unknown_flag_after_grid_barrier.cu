// Behind a grid barrier each block waits for a flag that no block sets: schedules with grid barriers are not replayed.
// launch: grid=2 block=32 passes=progress
#include <cooperative_groups.h>
__global__ void k(unsigned *flag, unsigned *seen) {
  if (threadIdx.x == 0) atomicExch(flag, 0);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) {
    atomicAdd(seen, 1);
    while (atomicAdd(flag, 0) == 0) {}   // ~ HD0002
  }
}
