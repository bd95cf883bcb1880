// Matrix product by tiles of 64 by 64 with two buffers: the next tiles are loaded while these are multiplied.
#define TILE 64
#define DEPTH 16

__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[2][DEPTH][TILE + 1], bs[2][DEPTH][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  float sum[4][4] = {};
  float next_a[4], next_b[4];
  for (int i = 0; i < 4; i++) {
    int e = t + i * 256;
    as[0][e % DEPTH][e / DEPTH] = a[(row + e / DEPTH) * n + e % DEPTH];
    bs[0][e / TILE][e % TILE] = b[(e / TILE) * n + column + e % TILE];
  }
  __syncthreads();
  int now = 0;
  for (int k = 0; k < n; k += DEPTH) {
    bool more = k + DEPTH < n;
    for (int i = 0; i < 4 && more; i++) {
      int e = t + i * 256;
      next_a[i] = a[(row + e / DEPTH) * n + k + DEPTH + e % DEPTH];
      next_b[i] = b[(k + DEPTH + e / TILE) * n + column + e % TILE];
    }
    for (int d = 0; d < DEPTH; d++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += as[now][d][ty * 4 + i] * bs[now][d][tx + j * 16];
    if (more) {
      for (int i = 0; i < 4; i++) {
        int e = t + i * 256;
        as[now ^ 1][e % DEPTH][e / DEPTH] = next_a[i];
        bs[now ^ 1][e / TILE][e % TILE] = next_b[i];
      }
    }
    __syncthreads();
    now ^= 1;
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(row + ty * 4 + i) * n + column + tx + j * 16] = sum[i][j];
}
