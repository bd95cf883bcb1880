// Kernels lie in an array, and a loop of two rounds launches each with its own grid.
// launch: as-launched
__global__ void kernels_small(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 4095] = i;
}
__global__ void kernels_large(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 8191] = i;
}

int main() {
  void (*kernel[2])(float *) = {kernels_small, kernels_large};
  int blocks[2] = {16, 32};
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < 2; i++)
    kernel[i]<<<blocks[i], 256>>>(p);
}
