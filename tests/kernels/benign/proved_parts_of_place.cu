// Column and row of a place are known where the place is, and so is what is made of them.
// launch: grid=1 block=64
__global__ void k(const unsigned *columns, const unsigned *rows, int *out, unsigned width) {
  if (width == 0)
    return;
  unsigned x = columns[threadIdx.x] % width, y = rows[threadIdx.x] % 1024;
  out[y * width + x] = (int)(x ^ y * 3);   // ~ HD0103
}
