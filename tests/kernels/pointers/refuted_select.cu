// The pointer is selected by a bit that does not tell the two halves of the block apart.
// launch: grid=1 block=128
__global__ void k(int *even, int *odd) {
  int t = threadIdx.x;
  int *target = t % 2 ? odd : even;
  target[t % 64] = t;   // ~ HD0101
}
