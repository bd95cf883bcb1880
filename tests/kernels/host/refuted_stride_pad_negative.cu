// The host does not rule out a negative pad, with which rows run into each other.
// launch: as-launched
__global__ void k(int *out, int width, int height, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) out[y * pitch + x] = x;  // ~ HD0102
}
void run(int *out, int width, int height, int pad) {
  if (width < 1 || height < 1 || width > 512 || height > 64) return;
  k<<<dim3((width + 127) / 128, height), 128>>>(out, width, height, width + pad);
}
