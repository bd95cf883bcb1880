// The flag is polled a number of times, and the data is read in any case.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b; // ~ HD0102
    __threadfence();
    flag[b] = 1;
    if (b > 0) {
      for (int round = 0; round < 100 && flag[b - 1] == 0; round++) {
      }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
