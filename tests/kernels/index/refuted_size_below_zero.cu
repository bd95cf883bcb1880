// Rows are right for sizes above zero alone.
// launch: grid=1 block=64
__global__ void k(int *out, int w) {
  int i = threadIdx.x;
  out[(i / w) * (w < 0 ? 1 : w) + i % w] = i; // ~ HD0101
}
