// Rows are shorter than a tile is wide: it is seen only if the sums differ, and so if there is a round.
// launch: grid=1 block=8,8
__global__ void k(const float *a, const float *b, float *c, unsigned n, unsigned depth) {
  float sum = 0;
  for (unsigned i = 0; i < depth; i++)
    sum += a[threadIdx.y * depth + i] * b[i * n + threadIdx.x];
  c[threadIdx.y * n + threadIdx.x] = sum; // ~ HD0101
}
