// The store of the flag is relaxed.
// launch: grid=any block=any passes=races
__device__ int acquire(int *p) {
  int v;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void release(int *p, int v) {
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  data[b * blockDim.x + threadIdx.x] = b;   // ~ HD0102
  __syncthreads();
  if (threadIdx.x == 0) release(&flag[b], 1);
  if (b > 0) {
    if (threadIdx.x == 0)
      while (acquire(&flag[b - 1]) != 1) {
      }
    __syncthreads();
    out[b * blockDim.x + threadIdx.x] = data[(b - 1) * blockDim.x + threadIdx.x];
  }
}
