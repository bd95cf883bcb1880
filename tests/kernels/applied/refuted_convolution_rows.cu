// A row convolution stores each tile back while others still need it as their halo.
// launch: grid=1,8 block=64,4
__global__ void k(float *data, const float *weight) {
  __shared__ float s[4][64 + 16];
  int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.y * 4 + ty) * 64 + tx;
  s[ty][tx + 8] = data[at];
  if (tx < 8)
    s[ty][tx] = s[ty][tx + 72] = 0;
  __syncthreads();
  float sum = 0;
  for (int j = -8; j <= 8; j++)
    sum += weight[8 - j] * s[ty][tx + 8 + j];
  s[ty][tx + 8] = sum;   // ~ HD0101
  __syncthreads();
  data[at] = s[ty][71 - tx];
}
