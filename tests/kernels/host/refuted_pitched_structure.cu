// Rows that are asked for as bytes and written as floats.
// launch: as-launched
__global__ void fill(cudaPitchedPtr image, int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height)
    ((float *)((char *)image.ptr + y * image.pitch))[x] = x;  // ~ HD0101
}
void run(int width, int height) {
  cudaExtent extent = make_cudaExtent(width, height, 1);
  cudaPitchedPtr image;
  cudaMalloc3D(&image, extent);
  fill<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(image, width, height);
  cudaFree(image.ptr);
}
