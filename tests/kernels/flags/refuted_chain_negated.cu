// The reader goes on where the flag is not set.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;   // ~ HD0102
    __threadfence();
    flag[b] = 1;
    if (b > 0) {
      while (flag[b - 1] != 0) {
        }
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
