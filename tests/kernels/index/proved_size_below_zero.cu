// Rows are right for sizes of both signs.
// launch: grid=1 block=64
__global__ void k(int *out, int w) {
  int i = threadIdx.x;
  if (w != 0)
    out[(i / w) * w + i % w] = i;
}
