// Rows of any width, written eight bytes at a time: what is aligned meets as a whole or not at all.
// launch: grid=any block=any
__global__ void k(short *out, int width) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (width < 8 || width > 4096 || at >= width) return;
  *(long long *)(out + blockIdx.y * width + at) = blockIdx.y;
}
