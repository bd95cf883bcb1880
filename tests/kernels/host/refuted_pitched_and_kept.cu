// The pitch of an earlier allocation, of narrower rows, is used for a later one.
// launch: as-launched
__global__ void rows(float *out, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    ((float *)((char *)out + y * pitch))[x] = x;  // ~ HD0101
}
void run(int width, int height) {
  float *narrow, *out;
  size_t pitch, other;
  cudaMallocPitch((void **)&narrow, &pitch, width / 2 * sizeof(float), height);
  cudaMallocPitch((void **)&out, &other, width * sizeof(float), height);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  rows<<<grid, block>>>(out, pitch, width, height);
}
