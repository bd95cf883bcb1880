// The host says of a number from another file that it is at least 2: blocks that the kernel does not tell apart.
// launch: as-launched
int layers_for(int n);
__global__ void k(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += 1;  // ~ HD0102
}
void run(int *out, int n) {
  int layers = layers_for(n);
  if (layers < 2) return;
  k<<<dim3(4, 1, layers), 256>>>(out, n);
}
