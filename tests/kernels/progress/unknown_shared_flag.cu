// A thread polls shared memory for another thread of its block, between polls of blocks.
// launch: grid=3 block=64 passes=progress
__global__ void k(volatile int *done) {
  __shared__ volatile int go;
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) while (done[blockIdx.x - 1] == 0) {}
    go = 1;
    done[blockIdx.x] = 1;
  }
  if (threadIdx.x == 32) while (go == 0) {}   // ~ HD0002
}
