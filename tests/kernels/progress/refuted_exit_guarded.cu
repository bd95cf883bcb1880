// A guard in the assembly ends the thread of the first ticket, whose turn it would be to answer.
// launch: grid=3 block=64 passes=progress
__global__ void k(unsigned *ticket, volatile int *answer) {
  if (threadIdx.x == 0) {
    unsigned mine = atomicAdd(ticket, 1);
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0; @p exit; }" ::"r"(mine));
    if (mine == 0)
      *answer = 1;
    else
      while (*answer == 0) {}   // ~ HD0503
  }
}
