// Rows that begin four elements before the last one ends: the last word of a row is the first of the next.
// launch: grid=any block=any
__global__ void k(short *out, int width) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (width < 8 || width > 4096 || at >= width) return;
  *(long long *)(out + blockIdx.y * (width - 4) + at) = blockIdx.y; // ~ HD0102
}
