// Each thread fills a row until it is full, and may begin beyond its end.
// launch: grid=1 block=any assume="room >= 0" passes=races
__global__ void near(int n, int rows, int room, const float *x, int *row) {
  for (int j = threadIdx.x; j < rows; j += blockDim.x) {
    int filled = rows;
    for (int k = 0; k < n; ++k) {
      if (filled == room) break;
      if (x[k] < x[j]) {
        row[j * room + filled] = k; // ~ HD0101
        ++filled;
      }
    }
  }
}
