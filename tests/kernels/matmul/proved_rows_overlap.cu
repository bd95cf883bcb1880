// Rows are as long as a tile is wide.
// launch: grid=1 block=8,8 assume="n >= 8 && n < 10000"
__global__ void k(const float *a, const float *b, float *c, unsigned n, unsigned depth) {
  float sum = 0;
  for (unsigned i = 0; i < depth; i++)
    sum += a[threadIdx.y * depth + i] * b[i * n + threadIdx.x];
  c[threadIdx.y * n + threadIdx.x] = sum;
}
