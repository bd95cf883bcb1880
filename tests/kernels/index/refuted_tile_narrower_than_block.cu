// The block is given, and wider than the rows of the tile: threads of two rows share elements.
// launch: grid=1 block=32,4
__global__ void narrow(const float *in, float *out) {
  __shared__ float tile[4][24];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];  // ~ HD0101
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x] + 1;
}
