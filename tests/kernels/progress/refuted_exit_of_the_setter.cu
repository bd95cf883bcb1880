// The block that would set the flag has ended in PTX by then.
// launch: grid=3 block=64 passes=progress
__global__ void k(unsigned *ticket, int *flag) {
  if (threadIdx.x == 0) {
    unsigned mine = atomicAdd(ticket, 1);
    if (mine == 0) {
      asm volatile("exit;");
      atomicExch(flag, 1);
    }
    while (atomicAdd(flag, 0) != 1) {}   // ~ HD0503
  }
}
