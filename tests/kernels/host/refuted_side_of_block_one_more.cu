// One block more than fit into a row of the matrix, with a side of the block that is an argument of the program.
// launch: as-launched
#include <cstdlib>
__global__ void product(float *c, const float *a, const float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum; // ~ HD0102
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), side = atoi(argv[2]);
  float *a, *b, *c;
  cudaMalloc(&a, n * n * 4);
  cudaMalloc(&b, n * n * 4);
  cudaMalloc(&c, n * n * 4);
  dim3 threads(side, side);
  dim3 grid(n / threads.x + 1, n / threads.y);
  product<<<grid, threads>>>(c, a, b, n);
}
