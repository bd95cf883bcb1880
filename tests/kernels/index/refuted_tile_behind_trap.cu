// Blocks that are not 64 threads in a row trap, and none of the others fits the tile.
// launch: grid=1 block=any passes=races
__global__ void k(float *out) {
  __shared__ float tile[16][17];
  if (blockDim.x != 64)
    __trap();
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;  // ~ HD0101 HD0002
  __syncthreads();
  if (threadIdx.x == 0)
    out[threadIdx.y] = tile[threadIdx.y][0];
}
