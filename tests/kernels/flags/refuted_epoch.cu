// What is waited for is a number of the host, which may be what the flag holds at the start.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int epoch) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;   // ~ HD0102
    __threadfence();
    flag[b] = epoch;
    if (b > 0) {
      while (flag[b - 1] != epoch) {
      }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
