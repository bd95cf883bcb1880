// Rows of a matrix are pointers that lie in memory, and two threads write one element of each.
// launch: grid=any block=any
__global__ void k(float **rows, const float *weights, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int j = 0; j < m; j++)
    rows[j][i / 2] = weights[i]; // ~ HD0101
}
