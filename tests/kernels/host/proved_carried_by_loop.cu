// The stride that is launched with is the one that was checked.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
int next();
void run(int *out, int n) {
  int stride = 1;
  for (;;) {
    int old = stride;
    stride = next();
    if (old < 1 || old > 8) return;
    k<<<1, 64>>>(out, n, old);
  }
}
