// Rows that are an odd number of elements longer than what the blocks write of them.
// launch: as-launched
__global__ void rows(int *out, int width, int pad) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * (width + pad) + x] = x + y;
}
void run(int *out, int width, int height, int pad) {
  if (pad < 0)
    return;
  rows<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(out, width, pad);
}
