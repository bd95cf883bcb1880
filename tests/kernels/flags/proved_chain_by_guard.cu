// The flag is looked at once, and the data is read only if it is set.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;
    __threadfence();
    flag[b] = 1;
    if (b > 0) {
      if (flag[b - 1] == 0)
          return;
      __threadfence();
      out[b] = data[b - 1];
    }
  }
}
