// Without a check against the width the end of a row runs into the start of the next.
// launch: grid=4,4 block=1,1
__global__ void k(int *out, int columns) {
  int x = blockIdx.x, y = blockIdx.y;
  out[y * columns + x] = x;   // ~ HD0102
}
