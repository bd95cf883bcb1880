// The allocator stores the pitch in a structure that the kernel gets.
// launch: as-launched
__global__ void fill(cudaPitchedPtr image, int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height)
    ((float *)((char *)image.ptr + y * image.pitch))[x] = x;
}
void run(int width, int height) {
  cudaExtent extent = make_cudaExtent(width * sizeof(float), height, 1);
  cudaPitchedPtr image;
  cudaMalloc3D(&image, extent);
  fill<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(image, width, height);
  cudaFree(image.ptr);
}
