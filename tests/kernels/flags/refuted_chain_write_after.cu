// The data is written once more after the flag.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    __threadfence();
    flag[b] = 1;
    data[b] = 2;   // ~ HD0102
    if (b > 0) {
      while (flag[b - 1] == 0) {
        }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
