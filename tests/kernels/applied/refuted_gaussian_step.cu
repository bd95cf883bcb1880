// One elimination step takes the factor from the column that it clears at the same time.
// launch: grid=1 block=64,4 n=64
__global__ void k(float *m, int n, int step) {
  int column = threadIdx.x;
  for (int row = threadIdx.y; row < n; row += 4)
    if (row > step && step >= 0)
      m[row * n + column] -= m[row * n + step] * m[step * n + column];   // ~ HD0101
}
