// Each part of a row of blocks has its sum.
// launch: grid=2 block=32 passes=races
__global__ void k(int n, int m, const int *first, const int *column, const double *a, const double *x, double *y) {
  int r = blockIdx.x * 8 + threadIdx.x / 4, part = threadIdx.x % 4;
  if (r >= n) return;
  double sum = 0;
  for (int k = first[r]; k < first[r + 1]; k++)
    for (int c = 0; c < 4; c++) sum += a[(k * 4 + part) * 4 + c] * x[column[k] * 4 + c];
  y[r * 4 + part] = sum;
}
