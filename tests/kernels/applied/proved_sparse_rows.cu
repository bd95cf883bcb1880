// A sparse matrix times a vector reads rows of loaded lengths and writes one element for each row.
// launch: grid=any block=any
__global__ void k(const int *start, const int *column, const float *value, const float *x, float *y, unsigned rows) {
  size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = start[row]; i < start[row + 1]; i++)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}
