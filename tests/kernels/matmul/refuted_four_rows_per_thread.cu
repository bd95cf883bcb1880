// Each thread stores four rows of the product, but they are four apart and belong to other threads too.
// launch: grid=4,4 block=32,8 n=128
__global__ void k(const float *a, const float *b, float *c, int n) {
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  for (int r = 0; r < 4; r++) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += a[(row + 8 * r) * n + i] * b[i * n + col];
    c[(row + 4 * r) * n + col] = sum;   // ~ HD0101
  }
}
