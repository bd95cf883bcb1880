// The rows are counted in blocks of another side than the block has.
// launch: as-launched
#include <cstdlib>
__global__ void fill(int *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  c[y * n + x] = x; // ~ HD0101
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), side = atoi(argv[2]);
  int *c;
  cudaMalloc(&c, n * n * 4);
  fill<<<dim3(n / side, n / side), dim3(side + 1, side)>>>(c, n);
}
