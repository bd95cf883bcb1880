// Rows run into each other: not where `stride >= width`.
// launch: grid=any block=64 assume="stride >= width"
__global__ void k(int *out, int width, int height, int stride) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height) out[y * stride + x] = x;
}
