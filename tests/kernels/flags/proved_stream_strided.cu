// Blocks take tiles in strides, and each tile waits for the one before.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    data[i] = i;
    __threadfence();
    flag[i] = 1;
    if (i > 0) {
      while (flag[i - 1] == 0) {}
      __threadfence();
      out[i] = data[i - 1];
    }
  }
}
