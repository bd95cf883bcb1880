// Each warp writes a row of 32, which is too long: not where `cols >= 32`.
// launch: grid=1 block=128 assume="cols >= 32"
__global__ void k(int *out, int cols) {
  int row = threadIdx.x / 32, col = threadIdx.x % 32;
  out[row * cols + col] = col;
}
