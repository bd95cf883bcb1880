// A reduction that releases counts the blocks, a load acquires.
// launch: grid=any block=any passes=races
__device__ void arrive(unsigned *p) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(p) : "memory");
}
__device__ unsigned look(unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__global__ void k(int *data, unsigned *count, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive(count);
    while (look(count) < gridDim.x) {
    }
  }
  __syncthreads();
  out[i] = data[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x];
}
