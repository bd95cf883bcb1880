// Each thread computes four rows of the product, eight apart, from shared tiles.
// launch: grid=4,4 block=32,8 n=128
__global__ void k(const float *a, const float *b, float *c, int n) {
  __shared__ float as[32][32], bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float sum[4] = {0, 0, 0, 0};
  for (int m = 0; m < n; m += 32) {
    for (int r = 0; r < 32; r += 8) {
      as[ty + r][tx] = a[(row + r) * n + m + tx];
      bs[ty + r][tx] = b[(m + ty + r) * n + col];
    }
    __syncthreads();
    for (int i = 0; i < 32; i++)
      for (int r = 0; r < 4; r++)
        sum[r] += as[ty + 8 * r][i] * bs[i][tx];
    __syncthreads();
  }
  for (int r = 0; r < 4; r++)
    c[(row + 8 * r) * n + col] = sum[r];
}
