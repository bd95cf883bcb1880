// The second stage is waited for, and both values are read.
// launch: grid=any block=any passes=races
__global__ void k(int *one, int *two, volatile int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    one[b] = b;
    __threadfence();
    flag[b] = 1;
    two[b] = b;
    __threadfence();
    flag[b] = 2;
    if (b > 0) {
      while (flag[b - 1] < 2) {
      }
      __threadfence();
      out[b] = one[b - 1] + two[b - 1];
    }
  }
}
