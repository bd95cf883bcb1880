// The product is stored with the depth as row pitch, which may be smaller than a row.
// launch: grid=2,64 block=1,1
__global__ void k(const float *a, const float *b, float *c, int m, int n, int depth) {
  int col = blockIdx.x, row = blockIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < depth; i++)
    sum += a[row * depth + i] * b[i * n + col];
  c[row * depth + col] = sum;   // ~ HD0102
}
