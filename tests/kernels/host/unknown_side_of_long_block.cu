// The quotient is of 64 bits, and the size of the grid has the lower 32 of them.
// launch: as-launched
#include <cstdlib>
__global__ void fill(int *c, size_t n) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  c[y * n + x] = x; // ~ HD0003
}
int main(int argc, char **argv) {
  size_t n = atoll(argv[1]), side = atoi(argv[2]);
  int *c;
  cudaMalloc(&c, n * n * 4);
  fill<<<dim3(n / side, n / side), dim3(side, side)>>>(c, n);
}
