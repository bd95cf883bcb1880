// Two kernels in an array get each other's grids.
// launch: as-launched
__global__ void kernels_small(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 4095] = i; // ~ HD0102
}
__global__ void kernels_large(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i & 8191] = i;
}

int main() {
  void (*kernel[2])(float *) = {kernels_small, kernels_large};
  int blocks[2] = {32, 16};
  float *p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 0; i < 2; i++)
    kernel[i]<<<blocks[i], 256>>>(p);
}
