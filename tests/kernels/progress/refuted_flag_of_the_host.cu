// All blocks wait for a flag that no block writes but the last: a grid of three has no fourth block.
// launch: grid=3 block=64 passes=progress
__global__ void k(volatile int *go) {
  if (blockIdx.x == 3) go[0] = 1;
  if (threadIdx.x == 0) while (go[0] == 0) {}   // ~ HD0503
}
