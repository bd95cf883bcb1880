// Whether rows overlap is up to callers in other sources; the condition is looked for.
// launch: as-launched infer
__global__ void rows(int *out, int width, int stride) {
  int x = blockIdx.x * 64 + threadIdx.x;
  if (x < width)
    out[blockIdx.y * stride + x] = x;  // ~ HD0102
}
void run(int *out, int width, int height, int stride) {
  if (width > 4096 || height > 4096 || stride < 0 || stride > 4096)
    return;
  rows<<<dim3((width + 63) / 64, height), 64>>>(out, width, stride);
}
