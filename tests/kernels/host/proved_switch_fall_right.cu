// Each case that falls through has checked before.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void run(int *out, int n, int stride) {
  if (stride < 1 || stride > 8) return;
  switch (n) {
  case 1: out++;
  case 2: k<<<1, 64>>>(out, 64, stride);
  }
}
