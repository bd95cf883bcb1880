// The grid is open, and the question is asked for three blocks.
// launch: grid=any block=64 passes=progress blocks=3
__global__ void k(int *lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}   // ~ HD0501
    atomicExch(lock, 0);
  }
}
