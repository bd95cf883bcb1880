// Each block adds up what all blocks before it have published.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = n;
    __threadfence();
    flag[b] = 1;
    int sum = 0;
    for (int p = b - 1; p >= 0; p--) {
      while (flag[p] == 0) {
      }
      __threadfence();
      sum += data[p];
    }
    out[b] = sum;
  }
}
