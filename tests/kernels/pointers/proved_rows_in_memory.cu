// Rows of a matrix are pointers that lie in memory.
// launch: grid=any block=any
__global__ void k(float **rows, const float *weights, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < m; j++)
    sum += rows[j][i] * weights[j];
  for (int j = 0; j < m; j++)
    rows[j][i] = sum;
}
