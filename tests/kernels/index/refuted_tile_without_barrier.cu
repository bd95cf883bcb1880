// The tile is read without a barrier: blocks that fit it race, too.
// launch: grid=any block=any
__global__ void transpose(const float *in, float *out, int width) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];  // ~ HD0101
  float *row = out + (size_t)(blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 16;
  row[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
