// How many blocks are waited for is an argument.
// launch: grid=3 block=64 passes=progress
__global__ void k(unsigned *count, unsigned blocks) {
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < blocks) {}   // ~ HD0002
  }
}
