// Each thread fills a row, one place before it looks whether the row is full.
// launch: grid=1 block=any assume="room >= 0" passes=races
__global__ void near(int n, int rows, int room, const float *x, int *row) {
  for (int j = threadIdx.x; j < rows; j += blockDim.x) {
    int filled = 0;
    for (int k = 0; k < n; ++k) {
      if (x[k] < x[j]) {
        row[j * room + filled] = k; // ~ HD0101
        if (filled == room) break;
        ++filled;
      }
    }
  }
}
