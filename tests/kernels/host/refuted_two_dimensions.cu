// The kernel reads one dimension of the block, and the host launches two.
// launch: as-launched
__global__ void k(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.y;  // ~ HD0101
}
void run(int *out) { k<<<8, dim3(32, 4)>>>(out); }
