// A function of CUDA's runtime does not throw.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }
void run(int *out) {
  int stride = 0;
  try {
    cudaDeviceSynchronize();
    stride = 4;
  } catch (...) {
  }
  k<<<1, 64>>>(out, stride);
}
