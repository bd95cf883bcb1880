// Blocks lie 64 columns apart and are 128 columns wide.
// launch: grid=any,any block=128
__global__ void k(float *out, int w, int h) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h)
    out[y * w + x] = threadIdx.x; // ~ HD0102
}
