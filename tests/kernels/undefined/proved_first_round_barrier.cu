// In no round does a thread come to the barrier alone.
// launch: grid=1 block=64
__global__ void k(int *x, const int *__restrict__ y) {
  int last = 3;
  for (unsigned i = 5; i < 1024; i += 64) {
    if (last == 3) __syncthreads();
    last = __shfl_sync(0xffffffff, y[i] & 1, 0) + 4;
  }
}
