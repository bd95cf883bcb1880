// The number that comes from another file is an argument as well, so blocks that the kernel does not tell apart have it.
// launch: as-launched
int layers_for(int n);
__global__ void k(int *out, int layers) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < layers) out[i] += 1;  // ~ HD0102
}
void run(int *out, int n) {
  int layers = layers_for(n);
  k<<<dim3(4, 1, layers), 256>>>(out, layers);
}
