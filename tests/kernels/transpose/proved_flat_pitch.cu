// A flat tile with a pitch of the row length keeps the rows apart.
// launch: grid=4,4 block=16,16
__global__ void k(const int *in, int *out) {
  __shared__ int tile[16 * 16];
  int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 16, by = blockIdx.y * 16;
  tile[y * 16 + x] = in[(by + y) * 64 + bx + x];
  __syncthreads();
  out[(bx + y) * 64 + by + x] = tile[x * 16 + y];
}
