// Each warp writes a row of 32, which is too long unless there are as many columns.
// launch: grid=1 block=128 infer
__global__ void k(int *out, int cols) {
  int row = threadIdx.x / 32, col = threadIdx.x % 32;
  out[row * cols + col] = col;  // ~ HD0101
}
