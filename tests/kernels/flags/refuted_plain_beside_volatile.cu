// Of two words that one line stores and another reads, the second is accessed plainly.
// launch: grid=2 block=64
__global__ void k(int *flag, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    *(volatile int *)&flag[2 * t + 1] = 1;
    flag[2 * t + 2] = 1; // ~ HD0102
  } else {
    int first = *(volatile int *)&flag[2 * t + 1];
    int second = flag[2 * t + 2];
    if (first == 1 && second == 1)
      out[t] = 1;
  }
}
