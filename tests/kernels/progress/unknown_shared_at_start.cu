// What a block polls for depends on shared memory that nobody has written yet.
// launch: grid=2 block=32
__global__ void k(int *flag) {
  __shared__ int again;
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0)
      while (atomicAdd(flag, 0) == 0 && again != 0) { // ~ HD0002
      }
    again = 1;
    atomicExch(flag + 1, 1);
  }
}
