// One of the kernels that the pointer may be takes a block of eight rows for one of four.
// launch: as-launched
__global__ void fill(int *out) {
  __shared__ int tile[32][4];
  tile[threadIdx.x][threadIdx.y % 4] = threadIdx.y;  // ~ HD0101
  __syncthreads();
  out[(blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y % 4];
}
__global__ void count(int *out) {
  out[(blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x] = blockIdx.x;
}
void run(int *out, int how, int blocks) {
  void (*kernel)(int *) = how == 0 ? fill : count;
  for (int i = 0; i < 4; i++)
    kernel<<<blocks, dim3(32, 8)>>>(out);
}
