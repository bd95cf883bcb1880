// A two-dimensional grid of two-dimensional blocks fills a matrix of symbolic width.
// launch: grid=any,any block=any,any assume="gridDim.x <= 65535"
__global__ void k(int *out, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows)
    out[y * columns + x] = x;
}
