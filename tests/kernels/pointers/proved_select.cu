// Each half of the block writes through a pointer to an array of its own.
// launch: grid=1 block=128
__global__ void k(int *low, int *high) {
  int t = threadIdx.x;
  int *target = t < 64 ? low : high;
  target[t % 64] = t;
}
