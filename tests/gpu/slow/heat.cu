// Four steps of a stencil of nine points on a square of 16 by 16, which reads four cells around it.
#define HALO 4
#define SIDE (16 + 2 * HALO)

__global__ void heat(const float *in, float *out, int n) {
  __shared__ float cells[2][SIDE][SIDE];
  int t = threadIdx.y * 16 + threadIdx.x;
  int left = blockIdx.x * 16 - HALO, top = blockIdx.y * 16 - HALO;
  for (int e = t; e < SIDE * SIDE; e += 256) {
    int x = left + e % SIDE, y = top + e / SIDE;
    bool inside = x >= 0 && y >= 0 && x < n && y < n;
    cells[0][e / SIDE][e % SIDE] = inside ? in[y * n + x] : 0.0f;
  }
  __syncthreads();
  for (int step = 1; step <= HALO; step++) {
    int now = step & 1, side = SIDE - 2 * step;
    for (int e = t; e < side * side; e += 256) {
      int x = e % side + step, y = e / side + step;
      float sum = 0.0f;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) sum += cells[now ^ 1][y + i][x + j];
      cells[now][y][x] = sum * 0.11111111f;
    }
    __syncthreads();
  }
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = cells[HALO & 1][threadIdx.y + HALO][threadIdx.x + HALO];
}
