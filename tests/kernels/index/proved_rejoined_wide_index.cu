// The same in 64 bits, of numbers of 32: the product of row and length does not wrap around.
// launch: grid=any block=any
__global__ void k(int *out, unsigned columns) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = i / columns, column = i % columns;
  out[row * columns + column] = i;
}
