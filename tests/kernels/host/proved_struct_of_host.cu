// The pitch of an image is computed in a structure of the host.
// launch: as-launched
struct Image { int *data; int width, height, pitch; };
__global__ void k(Image image) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < image.width && y < image.height) image.data[y * image.pitch + x] = x;
}
static Image make(int *data, int width, int height) {
  Image image;
  image.data = data;
  image.width = width;
  image.height = height;
  image.pitch = (width + 31) / 32 * 32;
  return image;
}
void run(int *data, int width, int height) {
  if (width <= 0 || height <= 0) return;
  Image image = make(data, width, height);
  k<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image);
}
