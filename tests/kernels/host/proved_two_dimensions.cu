// The kernel reads both dimensions of the block.
// launch: as-launched
__global__ void k(int *out) {
  out[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = threadIdx.y;
}
void run(int *out) { k<<<8, dim3(32, 4)>>>(out); }
