// Kernels are launched through a pointer that is one of two: each has its block.
// launch: as-launched
__global__ void fill(int *out) {
  __shared__ int tile[32][9];
  tile[threadIdx.x][threadIdx.y] = threadIdx.x;
  __syncthreads();
  out[(blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void count(int *out) {
  out[(blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x] = blockIdx.x;
}
void run(int *out, int how, int blocks) {
  void (*kernel)(int *) = how == 0 ? fill : count;
  for (int i = 0; i < 4; i++)
    kernel<<<blocks, dim3(32, 8)>>>(out);
}
