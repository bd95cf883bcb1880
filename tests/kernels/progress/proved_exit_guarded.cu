// A guard in the assembly ends the threads that would only wait.
// launch: grid=3 block=64 passes=progress
__global__ void k(unsigned *ticket, volatile int *answer) {
  if (threadIdx.x == 0) {
    unsigned mine = atomicAdd(ticket, 1);
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }" ::"r"(mine));
    if (mine == 0)
      *answer = 1;
    while (*answer == 0) {}
  }
}
