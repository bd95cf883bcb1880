// The stride is copied before the check: who has its address cannot change the copy.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
void ask(int *stride);
void other();
void run(int *out, int n) {
  int given;
  ask(&given);
  int stride = given;
  if (stride < 1 || stride > 8) return;
  other();
  k<<<1, 64>>>(out, n, stride);
}
