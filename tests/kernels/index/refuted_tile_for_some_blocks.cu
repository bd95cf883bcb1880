// The condition says that blocks are wider than the rows of the tile: that they fit it is not taken for granted.
// launch: grid=1 block=any assume="blockDim.x > 24 && blockDim.z == 1"
__global__ void narrow(const float *in, float *out) {
  __shared__ float tile[4][24];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * blockDim.x + threadIdx.x];  // ~ HD0101
  __syncthreads();
  out[threadIdx.y * blockDim.x + threadIdx.x] = tile[threadIdx.y][threadIdx.x] + 1;
}
