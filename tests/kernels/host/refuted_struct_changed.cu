// The pitch is right when it is computed, and is halved before the launch.
// launch: as-launched
struct Image { int *data; int width, height, pitch; };
__global__ void k(Image image) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < image.width && y < image.height) image.data[y * image.pitch + x] = x;  // ~ HD0102
}
void run(int *data, int width, int height) {
  if (width <= 0 || height <= 0 || width > 256 || height > 64) return;
  Image image = {data, width, height, (width + 31) / 32 * 32};
  image.pitch /= 2;
  k<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image);
}
