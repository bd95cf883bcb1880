// The block that sets the flag ends in PTX when it has done so.
// launch: grid=3 block=64 passes=progress
__global__ void k(unsigned *ticket, int *flag) {
  if (threadIdx.x == 0) {
    unsigned mine = atomicAdd(ticket, 1);
    if (mine == 0) {
      atomicExch(flag, 1);
      asm volatile("exit;");
      atomicExch(flag, 0);
    }
    while (atomicAdd(flag, 0) != 1) {}   // ~ HD0501
  }
}
