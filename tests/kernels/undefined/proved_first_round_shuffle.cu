// As in refuted_first_round_shuffle.cu, but each thread has a place of its own in the first round too.
// launch: grid=1 block=64
__global__ void k(int *x, const int *__restrict__ y) {
  int last = 0;
  for (unsigned i = 5; i < 1024; i += 64) {
    x[last == 0 ? threadIdx.x : threadIdx.x + 64] = threadIdx.x;
    last = __shfl_sync(0xffffffff, y[i] | 1, 0);
  }
}
