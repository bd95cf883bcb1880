// A warp waits for a volatile flag before a barrier with a count: whether the flag's own accesses race is not followed.
// launch: grid=1 block=64 passes=intra-block-race
__global__ void k(volatile int *flag) {
  if (threadIdx.x >= 32) {
    while (flag[0] == 0)   // ~ HD0002
      ;
  } else if (threadIdx.x == 0) {
    flag[0] = 1;
  }
  asm volatile("bar.sync 1, 64;" ::: "memory");
}
