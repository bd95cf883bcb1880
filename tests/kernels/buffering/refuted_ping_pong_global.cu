// Two blocks relax a vector in two steps, but a block barrier does not order blocks.
// launch: grid=2 block=64
__global__ void k(const int *a, int *b, int *c) {
  int t = blockIdx.x * 64 + threadIdx.x, left = t > 0 ? t - 1 : t;
  b[t] = a[t] + a[left];   // ~ HD0102
  __syncthreads();
  c[t] = b[t] + b[left];
}
