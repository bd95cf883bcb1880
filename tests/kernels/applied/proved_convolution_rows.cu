// A row convolution loads eight tiles of a row with halos on both sides before one barrier.
// launch: grid=4,8 block=16,4
__global__ void k(const float *in, const float *weight, float *out, int pitch) {
  __shared__ float s[4][10 * 16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x0 = (blockIdx.x * 8 - 1) * 16 + tx, y = blockIdx.y * 4 + ty;
  for (int i = 1; i <= 8; i++)
    s[ty][tx + i * 16] = in[y * pitch + x0 + i * 16];
  s[ty][tx] = x0 >= 0 ? in[y * pitch + x0] : 0;
  s[ty][tx + 9 * 16] = x0 + 9 * 16 < pitch ? in[y * pitch + x0 + 9 * 16] : 0;
  __syncthreads();
  for (int i = 1; i <= 8; i++) {
    float sum = 0;
    for (int j = -8; j <= 8; j++)
      sum += weight[8 - j] * s[ty][tx + i * 16 + j];
    if (x0 + i * 16 < pitch)
      out[y * pitch + x0 + i * 16] = sum;
  }
}
