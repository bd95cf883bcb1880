// The same with a sign.
// launch: grid=any block=any
__global__ void k(int *out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / columns, column = i % columns;
  out[row * columns + column] = i;
}
