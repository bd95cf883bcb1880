// Rows of 16 threads share a warp by pairs, so a warp barrier does not order a row with the one above its pair.
// launch: grid=1 block=16,8
__global__ void k(int *data) {
  __shared__ int s[8][16];
  int lane = threadIdx.x, row = threadIdx.y;
  s[row][lane] = data[row * 16 + lane];   // ~ HD0101
  __syncwarp();
  data[row * 16 + lane] = s[(row + 1) % 8][lane];
}
