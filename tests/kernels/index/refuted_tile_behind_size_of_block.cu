// Only blocks of 64 threads in a row come by, and none of them fits the tile: that they do is not taken for granted.
// launch: grid=1 block=any
__global__ void k(float *out) {
  __shared__ float tile[16][17];
  if (blockDim.x != 64)
    return;
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;  // ~ HD0101
  __syncthreads();
  if (threadIdx.x == 0)
    out[threadIdx.y] = tile[threadIdx.y][0];
}
