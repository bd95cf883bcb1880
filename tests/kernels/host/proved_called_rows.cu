// The rows are as long as what is written of them, or longer.
// launch: as-launched
__global__ void rows(int *out, int width, int stride) {
  int x = blockIdx.x * 64 + threadIdx.x;
  if (x < width)
    out[blockIdx.y * stride + x] = x;
}
void run(int *out, int width, int height, int stride) {
  if (width > 4096 || height > 4096 || stride < width || stride > 4096)
    return;
  rows<<<dim3((width + 63) / 64, height), 64>>>(out, width, stride);
}
