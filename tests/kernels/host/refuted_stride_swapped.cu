// Rows of `width` bytes are stored at a distance of `height`, which may be less: the host swaps them.
// launch: as-launched
__global__ void k(int *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) out[y * stride + x] = x;  // ~ HD0102
}
void run(int *out, int width, int height) {
  if (width < 1 || height < 1 || width > 512 || height > 64) return;
  k<<<dim3((width + 127) / 128, height), 128>>>(out, width, height, height);
}
