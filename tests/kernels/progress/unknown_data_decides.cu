// Which block is waited for comes from memory that the kernel only reads.
// launch: grid=3 block=64 passes=progress
__global__ void k(volatile int *done, const int *before) {
  if (threadIdx.x == 0) {
    while (done[before[blockIdx.x]] == 0) {}   // ~ HD0002
    done[blockIdx.x] = 1;
  }
}
