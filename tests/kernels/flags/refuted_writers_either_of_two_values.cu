// The reader takes the value that says that nothing was published, too.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;   // ~ HD0102
    if (n > 3) {
      __threadfence();
      flag[b] = 1;
    } else {
      flag[b] = 2;
    }
    if (b > 0 && flag[b - 1] != 0) {
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
