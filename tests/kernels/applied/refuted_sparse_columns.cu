// A sparse matrix stored by columns adds to rows that other columns add to as well.
// launch: grid=1 block=64
__global__ void k(const int *start, const int *row, const float *value, const float *x, float *y) {
  int column = threadIdx.x;
  for (int i = start[column]; i < start[column + 1]; i++)
    y[row[i]] += value[i] * x[column];   // ~ HD0101
}
