// In the first round one thread alone comes to the barrier, and the shuffle waits for it.
// launch: grid=1 block=64
__global__ void k(int *x, const int *__restrict__ y) {
  int last = threadIdx.x;
  for (unsigned i = 5; i < 1024; i += 64) {
    if (last == 3) __syncthreads(); // ~ HD0201
    last = __shfl_sync(0xffffffff, y[i] & 1, 0) + 4;
  }
}
