// Only blocks of 16 threads in a row come by, which fit the tile.
// launch: grid=1 block=any
__global__ void k(float *out) {
  __shared__ float tile[16][17];
  if (blockDim.x != 16 || blockDim.z != 1)
    return;
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;
  __syncthreads();
  if (threadIdx.x == 0)
    out[threadIdx.y] = tile[threadIdx.y][0];
}
