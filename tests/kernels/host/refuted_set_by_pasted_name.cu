// The host sets a variable by a name that a macro makes, in text that the device's compilation skips.
// launch: as-launched
static __constant__ int c_stride = 1;
#define SYMBOL(x) c_##x
__global__ void k(int *out) {
  out[threadIdx.x * c_stride] = threadIdx.x; // ~ HD0101
}
void run(int *out, int to) {
#ifndef __CUDA_ARCH__
  cudaMemcpyToSymbol(SYMBOL(stride), &to, sizeof to);
#endif
  k<<<1, 64>>>(out);
}
