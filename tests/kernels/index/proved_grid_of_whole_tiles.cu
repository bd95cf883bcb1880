// The width is 128 for each block of a row, as a whole number: a product that wraps around does not give it.
// launch: grid=any,any block=any assume="width > 0 && width == gridDim.x * 128"
__global__ void tiles(float *out, int width) {
  float *tile = out + blockIdx.y * 4 * width + blockIdx.x * 128;
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    tile[i / 128 * width + i % 128] = i;
}
