// The host's part names another variable than the one that the kernel reads.
// launch: as-launched
static __constant__ int stride = 1;
static __constant__ int other = 1;
__global__ void k(int *out) { out[threadIdx.x * stride] = threadIdx.x * other; }
__host__ __device__ void set(int to) {
#ifdef __CUDA_ARCH__
  __trap();
#else
  cudaMemcpyToSymbol(other, &to, sizeof to);
#endif
}
void run(int *out) {
  set(0);
  k<<<1, 64>>>(out);
}
