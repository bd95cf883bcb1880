// A block that has polled long enough traps, which ends all blocks: nobody waits for ever.
// launch: grid=2 block=32 passes=progress
__global__ void k(int *flag) {
  if (threadIdx.x != 0)
    return;
  int rounds = 0;
  while (atomicAdd(flag, 0) == 0) {  // ~ HD0002
    if (++rounds > 100)
      __trap();
  }
  atomicExch(flag, 1);
}
