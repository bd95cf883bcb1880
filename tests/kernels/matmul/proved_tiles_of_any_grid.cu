// The textbook product by tiles, with a block of constant size and any grid.
// launch: grid=any,any block=16,16
#define TILE 16
__global__ void k(float *c, const float *a, const float *b, int n) {
  __shared__ float s[TILE][TILE], u[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int m = 0; m < (n + TILE - 1) / TILE; m++) {
    s[y][x] = row < n && m * TILE + x < n ? a[row * n + m * TILE + x] : 0;
    u[y][x] = column < n && m * TILE + y < n ? b[(m * TILE + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += s[y][i] * u[i][x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum + blockIdx.x;
}
