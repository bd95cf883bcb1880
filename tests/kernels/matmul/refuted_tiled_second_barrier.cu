// The tiled matrix product loads its next tiles while slow threads still use the last ones.
// launch: grid=any,any block=16,16 assume="gridDim.x <= 65535"
__global__ void k(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int m = 0; m < n; m += 16) {
    as[ty][tx] = row < n && m + tx < n ? a[row * n + m + tx] : 0;       // ~ HD0101
    bs[ty][tx] = m + ty < n && col < n ? b[(m + ty) * n + col] : 0;   // ~ HD0101
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += as[ty][i] * bs[i][tx];
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}
