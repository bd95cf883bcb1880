// A function of another source sets the size, whose address it is given.
// launch: as-launched
#include <cstdio>
int elements = 256;
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x; // ~ HD0102
}
int main() {
  int *out;
  cudaMalloc(&out, 1 << 16);
  scanf("%d", &elements);
  k<<<16, 128>>>(out, elements);
}
