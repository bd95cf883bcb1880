// The rows of a tile are one fewer than the tile is high.
// launch: grid=any block=any assume="w > 0 && w < 100 && n < 10000"
__global__ void k(int *out, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int tile = i / (32 * w), row = i / w % 32, column = i % w;
  out[(tile * 31 + row) * w + column] = i; // ~ HD0101
}
