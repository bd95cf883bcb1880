// What is waited for is a number of the host that is not zero.
// launch: grid=any block=any assume="epoch > 0" passes=races
__global__ void k(int *data, volatile int *flag, int *out, int epoch) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
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
