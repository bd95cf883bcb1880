// Rows are one shorter than their stride, and run into each other: not where `row > width`.
// launch: grid=4 block=64 row=100 assume="row > width"
__global__ void k(int *out, int width, int row) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width) out[y * (row - 1) + x] = x;
}
