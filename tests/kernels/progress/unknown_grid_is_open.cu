// With three blocks it ends; with more, nobody looked.
// launch: grid=any block=64 passes=progress
__global__ void k(int *lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}   // ~ HD0501 HD0002
    atomicExch(lock, 0);
  }
}
