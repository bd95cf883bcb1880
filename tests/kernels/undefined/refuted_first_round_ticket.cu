// In the first round all threads store to one place, whatever is reserved for the next.
// launch: grid=1 block=64
__global__ void k(int *x, int *count) {
  int last = 0;
  for (unsigned i = threadIdx.x; i < 1024; i += 64) {
    x[last] = threadIdx.x; // ~ HD0101
    last = 1 + atomicAdd(count, (int)i + 1);
  }
}
