// The values are read without a fence after the flag.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = n;   // ~ HD0102
    __threadfence();
    flag[b] = 1;
    int sum = 0;
    for (int p = b - 1; p >= 0; p--) {
      while (flag[p] == 0) {
      }
      sum += data[p];
    }
    out[b] = sum;
  }
}
