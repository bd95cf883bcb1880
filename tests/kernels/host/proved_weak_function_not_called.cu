// The function that gives the stride is the one of this file.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
static int stride() { return 1; }
void run(int *out, int n) { k<<<1, 64>>>(out, n, stride()); }
