// Rows of an allocation are as long as the allocator says, which is at least what was asked for.
// launch: as-launched
__global__ void rows(float *out, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    ((float *)((char *)out + y * pitch))[x] = x;
}
void run(int width, int height) {
  float *out;
  size_t pitch;
  cudaMallocPitch((void **)&out, &pitch, width * sizeof(float), height);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  rows<<<grid, block>>>(out, pitch, width, height);
  cudaFree(out);
}
