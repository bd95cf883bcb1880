// The members of the sizes are set one by one.
// launch: as-launched
__global__ void k(int *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) out[y * stride + x] = x;
}
void run(int *out, int width, int height) {
  if (width < 1 || height < 1 || width > 1000 || height > 1000) return;
  dim3 grid, block;
  block.x = 32;
  grid.x = (width + block.x - 1) / block.x;
  grid.y = height;
  k<<<grid, block>>>(out, width, height, width);
}
