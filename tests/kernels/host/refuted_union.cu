// A byte of the stride is set through the other member of a union.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
union U { int i; unsigned char c[4]; };
void run(int *out, int n, int stride) {
  U u;
  u.i = stride;
  if (u.i < 1 || u.i > 8) return;
  u.c[0] = 0;
  k<<<1,64>>>(out, n, u.i);
}
