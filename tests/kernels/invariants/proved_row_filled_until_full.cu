// Each thread fills a row by data until the row is full; the first hit fills all of it.
// launch: grid=1 block=any assume="room >= 1" passes=races
__global__ void near(int n, int rows, int room, const float *x, int *row) {
  for (int j = threadIdx.x; j < rows; j += blockDim.x) {
    int filled = 0;
    for (int k = 0; k < n; ++k) {
      if (filled >= room) break;
      if (x[k] < x[j]) {
        if (filled == 0)
          for (int l = 0; l < room; ++l) row[j * room + l] = k;
        row[j * room + filled] = k;
        ++filled;
      }
    }
  }
}
