// Words that both sides use are volatile, and who uses others plainly is alone with them.
// launch: grid=2 block=64
__global__ void k(int *flag, int *other, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    *(volatile int *)&flag[2 * t + 1] = 1;
    *(volatile int *)&flag[2 * t + 2] = 1;
    other[t] = 1;
  } else {
    int first = *(volatile int *)&flag[2 * t + 1];
    int second = *(volatile int *)&flag[2 * t + 2];
    if (first == 1 && second == 1)
      out[t] = 1;
  }
}
