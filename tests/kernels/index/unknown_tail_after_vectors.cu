// The elements after the last whole group of four are done by other threads than those before: they stay apart.
// launch: grid=1 block=64
__global__ void k(float *f, int n) {
  int whole = n & ~3;
  for (int i = threadIdx.x; i < whole; i += 64)
    f[i] = 0.0f;  // ~ HD0002
  for (int i = whole + threadIdx.x; i < n; i += 64)
    f[i] = 1.0f;
}
