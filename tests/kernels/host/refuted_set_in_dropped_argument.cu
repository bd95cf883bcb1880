// The host sets a variable in the argument of a macro that gives it to nobody in the device's compilation.
// launch: as-launched
#if defined(__CUDA_ARCH__)
#define HOST_CODE(...)
#else
#define HOST_CODE(...) __VA_ARGS__
#endif
static __constant__ int c_stride = 1;
__global__ void k(int *out) {
  out[threadIdx.x * c_stride] = threadIdx.x; // ~ HD0101
}
HOST_CODE(void set(int to) { cudaMemcpyToSymbol(c_stride, &to, sizeof to); })
void run(int *out) {
  k<<<1, 64>>>(out);
}
