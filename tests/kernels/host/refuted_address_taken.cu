// A function that has the address of the stride may change it after the check.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;  // ~ HD0101
}
void ask(int *stride);
void other();
void run(int *out, int n) {
  int stride;
  ask(&stride);
  if (stride < 1 || stride > 8) return;
  other();
  k<<<1, 64>>>(out, n, stride);
}
