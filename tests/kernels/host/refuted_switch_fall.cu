// One case falls through to the launch of the next one, which checks nothing.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void run(int *out, int n, int s) {
  switch (n) {
    case 1:
    if (s < 1) return;
    case 2:
    k<<<1,64>>>(out, 64, s);
  }
}
