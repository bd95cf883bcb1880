// In the first round all threads store to one place, however different the elements are.
// launch: grid=1 block=64 assume=injective(index,1024)
__global__ void k(int *x, const int *index) {
  int last = 0;
  for (unsigned i = threadIdx.x; i < 1024; i += 64) {
    x[last] = threadIdx.x; // ~ HD0101
    last = index[i];
  }
}
