// In the first round all threads store to one place, whatever is computed for the next.
// launch: grid=1 block=64
__global__ void k(int *x, const int *__restrict__ y) {
  int last = 0;
  for (unsigned i = 5; i < 1024; i += 64) {
    x[last == 0 ? 0 : threadIdx.x + 1] = threadIdx.x; // ~ HD0101
    last = __shfl_sync(0xffffffff, y[i] | 1, 0);
  }
}
