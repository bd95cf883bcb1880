// The flag is a plain word.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;   // ~ HD0102
    __threadfence();
    flag[b] = 1;   // ~ HD0102
    if (b > 0) {
      if (flag[b - 1] == 0)
          return;
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
