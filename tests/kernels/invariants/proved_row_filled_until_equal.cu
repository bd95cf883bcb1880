// Each thread fills a row by data until the number of places is just that of the row.
// launch: grid=1 block=any assume="room >= 0" passes=races
__global__ void near(int n, int rows, int room, const float *x, int *row) {
  for (int j = threadIdx.x; j < rows; j += blockDim.x) {
    int filled = 0;
    for (int k = 0; k < n; ++k) {
      if (filled == room) break;
      if (x[k] < x[j]) {
        row[j * room + filled] = k;
        ++filled;
      }
    }
  }
}
