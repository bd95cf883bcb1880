// A block waits for ever, unless the trap of another ends the launch.
// launch: grid=2 block=64 passes=progress
__global__ void k(volatile int *flag) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    __trap();
  } else {
    while (*flag == 0) {  // ~ HD0002
    }
  }
  *flag = 1;
}
