// The program assumes blocks of 64 threads in a row, and none of them fits the tile.
// launch: grid=1 block=any passes=races
__global__ void k(float *out) {
  __shared__ float tile[16][17];
  __builtin_assume(blockDim.x == 64);
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;  // ~ HD0101
  __syncthreads();
  if (threadIdx.x == 0)
    out[threadIdx.y] = tile[threadIdx.y][0];
}
