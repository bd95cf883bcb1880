// A flag is written once more in each round of a loop.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    for (int j = 0; j < n; j++) {
      data[b * n + j] = j;
      __threadfence();
      flag[b] = j + 1;
    }
    if (b > 0 && flag[b - 1] >= 1) {
      __threadfence();
      out[b] = data[(b - 1) * n];
    }
  }
}
