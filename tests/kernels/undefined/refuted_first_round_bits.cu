// In the first round all threads store to one place, whatever is computed for the next.
// launch: grid=1 block=64
__global__ void k(int *x, const int *__restrict__ y) {
  int last = -1;
  for (unsigned i = 5; i < 1024; i += 64) {
    x[last == -1 ? 0 : threadIdx.x + 1] = threadIdx.x; // ~ HD0101
    last = __popc(y[i] & ((1u << (i & 31)) - 1)) + __popc(y[i]);
  }
}
