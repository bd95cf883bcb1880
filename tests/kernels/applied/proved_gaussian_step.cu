// One elimination step reads the pivot row and writes only the rows below it.
// launch: grid=any,any block=16,16 assume="gridDim.x <= 65535"
__global__ void k(const float *factor, float *m, int n, int step) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (step < 0 || row <= step || row >= n || column >= n)
    return;
  m[row * n + column] -= factor[row] * m[step * n + column];
}
