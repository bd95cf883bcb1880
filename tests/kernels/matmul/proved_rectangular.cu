// The product of an m by k with a k by n matrix writes each element once for any sizes.
// launch: grid=any,any block=32,8 assume="gridDim.x <= 65535"
__global__ void k(const float *a, const float *b, float *c, int m, int n, int depth) {
  int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < depth; i++)
    sum += a[row * depth + i] * b[i * n + col];
  c[row * n + col] = sum;
}
