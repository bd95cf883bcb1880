// A row of a tile is read by all threads of that row, in each step.
// launch: passes=uninitialised-shared block=16,16 grid=any
__global__ void k(const float *a, const float *b, float *c, int n) {
  __shared__ float x[16][17], y[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int m = 0; m < n; ++m) {
    x[ty][tx] = a[(blockIdx.y * 16 + ty) * n * 16 + m * 16 + tx];
    y[ty][tx] = b[(m * 16 + ty) * n * 16 + blockIdx.x * 16 + tx];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += x[ty][j] * y[j][tx];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + ty) * n * 16 + blockIdx.x * 16 + tx] = sum;
}
