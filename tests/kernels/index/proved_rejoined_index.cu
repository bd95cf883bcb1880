// A row and a column of a number, put together again, with another addend in between.
// launch: grid=any block=any
__global__ void k(int *out, unsigned columns) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1u << 30)
    return;
  unsigned row = i / columns, column = i % columns;
  out[column + 1 + row * columns] = i;
}
