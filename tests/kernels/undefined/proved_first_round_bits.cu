// As in refuted_first_round_bits.cu, but each thread has a place of its own in the first round too.
// launch: grid=1 block=64
__global__ void k(int *x, const int *__restrict__ y) {
  int last = -1;
  for (unsigned i = 5; i < 1024; i += 64) {
    x[last == -1 ? threadIdx.x : threadIdx.x + 64] = threadIdx.x;
    last = __popc(y[i] & ((1u << (i & 31)) - 1)) + __popc(y[i]);
  }
}
