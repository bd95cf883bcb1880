// Each turn of a loop chooses one of two strides.
// launch: as-launched
__global__ void k(int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = i;
}
int more();
void run(int *out, int n) {
  while (more()) {
    int stride = more() ? 2 : 3;
    k<<<1, 64>>>(out, n, stride);
  }
}
