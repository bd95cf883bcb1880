// Rows run into each other unless the stride is at least the width.
// launch: grid=any block=64 infer
__global__ void k(int *out, int width, int height, int stride) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height) out[y * stride + x] = x;  // ~ HD0102
}
