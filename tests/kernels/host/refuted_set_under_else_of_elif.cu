// Text after `#else` that an `#elif` decides about: the host's compilation reads it, and sets the variable.
// launch: as-launched
static __constant__ int c_stride = 1;
__global__ void k(int *out) {
  out[threadIdx.x * c_stride] = threadIdx.x; // ~ HD0101
}
#if defined(NOBODY_DEFINES_IT)
#elif defined(__CUDA_ARCH__)
#else
void set(int to) { cudaMemcpyToSymbol(c_stride, &to, sizeof to); }
#endif
void run(int *out) {
  k<<<1, 64>>>(out);
}
