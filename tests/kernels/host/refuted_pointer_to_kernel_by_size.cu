// The host chooses one of two kernels by the size; which block goes with which is not followed, and the report says so.
// launch: as-launched passes=inter-block-race
__global__ void large(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = blockIdx.x;
}
__global__ void small(int *p, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) p[i] = blockIdx.x; // ~ HD0102
}
int main(int c, char **) {
  int *p;
  cudaMalloc(&p, c * sizeof(int));
  auto kernel = c > 1000 ? large : small;
  int block = c > 1000 ? 256 : 64;
  kernel<<<(c + block - 1) / block, block>>>(p, c);
}
