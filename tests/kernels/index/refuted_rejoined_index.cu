// Rows that are put together with another length than they were taken apart with.
// launch: grid=4 block=256
__global__ void k(int *out, unsigned columns, unsigned pitch) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1u << 30)
    return;
  unsigned row = i / columns, column = i % columns;
  out[column + row * pitch] = i;  // ~ HD0101
}
