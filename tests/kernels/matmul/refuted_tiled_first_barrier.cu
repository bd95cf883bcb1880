// The tiled matrix product multiplies tiles that other threads are still loading.
// launch: grid=4,4 block=16,16 n=64
__global__ void k(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int m = 0; m < n; m += 16) {
    as[tx][ty] = a[(blockIdx.y * 16 + tx) * n + m + ty];   // ~ HD0101
    bs[ty][tx] = b[(m + ty) * n + col];   // ~ HD0101
    for (int i = 0; i < 16; i++)
      sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
