// A loop that only PTX leaves waits for a flag that nobody else can set: the setter waits too.
// launch: grid=2 block=32 passes=progress
__global__ void k(int *flag) {
  if (threadIdx.x == 0) {
    while (true) {
      int seen = atomicAdd(flag, 0);   // ~ HD0503
      asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 1; @p exit; }" ::"r"(seen));
    }
  }
}
