// Each thread of the matrix writes its element, which lies in the buffer for any width and height.
// launch: grid=any,any block=16,16 "size=out=w * h" assume="w > 0 && h > 0 && w < 32768 && h < 32768" passes=bounds
__global__ void k(int *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = x;
}
