// A tile waits for the ones at its left and above.
// launch: grid=any,any block=any passes=races
__global__ void k(int *data, volatile int *flag) {
  int x = blockIdx.x, y = blockIdx.y, w = gridDim.x;
  if (threadIdx.x == 0) {
    int v = 1;
    if (x > 0) {
      while (flag[y * w + x - 1] == 0) {
      }
      __threadfence();
      v += data[y * w + x - 1];
    }
    if (y > 0) {
      while (flag[(y - 1) * w + x] == 0) {
      }
      __threadfence();
      v += data[(y - 1) * w + x];
    }
    data[y * w + x] = v;
    __threadfence();
    flag[y * w + x] = 1;
  }
}
