// Threads walk over all of the tile from its first row, with a barrier between.
// launch: grid=1 block=any
__global__ void walk(int *out) {
  __shared__ int tile[8][8];
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    tile[0][i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < 63; i += blockDim.x)
    out[i] = tile[0][i + 1];
}
