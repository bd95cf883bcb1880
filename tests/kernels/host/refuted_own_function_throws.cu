// A function of the program has a name like those of CUDA's runtime, and may throw.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; } // ~ HD0101
void cudaCheck(int status);
void run(int *out) {
  int stride = 0;
  try {
    cudaCheck(cudaDeviceSynchronize());
    stride = 4;
  } catch (...) {
  }
  k<<<1, 64>>>(out, stride);
}
