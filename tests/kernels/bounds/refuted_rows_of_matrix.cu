// A thread right of the matrix writes into the next row, and in the last row behind the buffer.
// launch: grid=any,any block=16,16 "size=out=w * h" assume="w > 0 && h > 0 && w < 32768 && h < 32768" passes=bounds
__global__ void k(int *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x <= w && y < h)
    out[y * w + x] = x; // ~ HD0301
}
