// The value that is read is that of the block before the one whose flag was seen.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = n;   // ~ HD0002
    __threadfence();
    flag[b] = 1;
    int sum = 0;
    for (int p = b - 1; p >= 0; p--) {
      while (flag[p] == 0) {
      }
      __threadfence();
      sum += data[p / 2];
    }
    out[b] = sum;
  }
}
