// A flat tile whose pitch is one too small makes neighbouring rows overlap.
// launch: grid=4,4 block=16,16
__global__ void k(const int *in, int *out) {
  __shared__ int tile[16 * 16];
  int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 16, by = blockIdx.y * 16;
  tile[y * 15 + x] = in[(by + y) * 64 + bx + x];   // ~ HD0101
  __syncthreads();
  out[(bx + y) * 64 + by + x] = tile[x * 15 + y];
}
