// A flat index is split by a symbolic width and stored transposed.
// launch: grid=any block=any assume="gridDim.x <= 65535 && width > 0"
__global__ void k(int *out, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height)
    out[(i % width) * height + i / width] = i;
}
