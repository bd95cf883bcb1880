// A tile is transposed through shared memory without a barrier.
// launch: grid=4,4 block=16,16
__global__ void k(const int *in, int *out) {
  __shared__ int tile[16][17];
  int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 16, by = blockIdx.y * 16;
  tile[y][x] = in[(by + y) * 64 + bx + x];   // ~ HD0101
  out[(bx + y) * 64 + by + x] = tile[x][y];
}
