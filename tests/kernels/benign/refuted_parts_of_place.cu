// A column may be the last one or lie beyond it: two pairs of column and row are one place.
// launch: grid=1 block=64
__global__ void k(const unsigned *columns, const unsigned *rows, int *out, unsigned width) {
  if (width == 0)
    return;
  unsigned x = columns[threadIdx.x] % (width + 1), y = rows[threadIdx.x] % 1024;
  out[y * width + x] = (int)(x ^ y * 3);   // ~ HD0101
}
