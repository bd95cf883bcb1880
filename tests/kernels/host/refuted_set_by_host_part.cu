// The host sets a variable of the file where only its own compilation reads.
// launch: as-launched
static __constant__ int stride = 1;
__global__ void k(int *out) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101
__host__ __device__ void set(int to) {
#ifdef __CUDA_ARCH__
  __trap();
#else
  cudaMemcpyToSymbol(stride, &to, sizeof to);
#endif
}
void run(int *out) {
  set(0);
  k<<<1, 64>>>(out);
}
