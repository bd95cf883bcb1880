// A flat index is split by a symbolic width without a check against the number of elements.
// launch: grid=1 block=128
__global__ void k(int *out, int width, int height) {
  int i = threadIdx.x;
  if (width > 0 && height > 0)
    out[(i % width) * height + i / width] = i;   // ~ HD0101
}
