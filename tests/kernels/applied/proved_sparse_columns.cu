// A sparse matrix stored by columns adds to rows atomically.
// launch: grid=1 block=64
__global__ void k(const int *start, const int *row, const float *value, const float *x, float *y) {
  int column = threadIdx.x;
  for (int i = start[column]; i < start[column + 1]; i++)
    atomicAdd(&y[row[i]], value[i] * x[column]);
}
