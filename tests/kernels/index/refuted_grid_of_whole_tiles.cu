// The width is less than 128 for each block of a row, so the last columns of a block are the first of the next.
// launch: grid=any,any block=any assume="width > 0 && width == gridDim.x * 127"
__global__ void tiles(float *out, int width) {
  float *tile = out + blockIdx.y * 4 * width + blockIdx.x * 127;
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    tile[i / 128 * width + i % 128] = i; // ~ HD0101
}
