// The tile that is read is not the one that was waited for.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    data[i] = i; // ~ HD0002
    __threadfence();
    flag[i] = 1;
    if (i > 1) {
      while (flag[i - 1] == 0) {}
      __threadfence();
      out[i] = data[i - 2];
    }
  }
}
