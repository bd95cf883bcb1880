// How many blocks are waited for is an argument, which is given: one has come at least, the block itself.
// launch: grid=3 block=64 blocks=3 passes=progress expected=1
__global__ void k(unsigned *count, unsigned expected) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < expected) {}
  }
}
