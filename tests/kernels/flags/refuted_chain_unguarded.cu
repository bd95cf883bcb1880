// The flag is looked at, and the data is read whatever it says.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;   // ~ HD0102
    __threadfence();
    flag[b] = 1;   // ~ HD0102
    if (b > 0) {
      int seen = flag[b - 1];
      __threadfence();
      out[b] = data[b - 1] + seen;
    }
  }
}
