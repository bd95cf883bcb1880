// The block is given, and as wide as the rows of the tile.
// launch: grid=1 block=32,4
__global__ void fits(const float *in, float *out) {
  __shared__ float tile[4][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x] + 1;
}
