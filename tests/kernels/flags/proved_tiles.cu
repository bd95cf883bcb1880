// The flag of a tile guards as many words as an argument says.
// launch: grid=any block=any passes=races
__global__ void k(int *data, volatile int *flag, int *out, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    for (int j = 0; j < n; j++)
      data[b * n + j] = j;
    __threadfence();
    flag[b] = 1;
    if (b > 0 && flag[b - 1]) {
      __threadfence();
      for (int j = 0; j < n; j++)
        out[b * n + j] = data[(b - 1) * n + j];
    }
  }
}
