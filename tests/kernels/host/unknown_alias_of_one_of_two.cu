// The second pointer leads to the first buffer, or into it, as the user of the program says.
// launch: as-launched
#include <cuda_runtime.h>
__global__ void k(int *a, int *b) {
  a[threadIdx.x] = threadIdx.x; // ~ HD0002
  b[31 - threadIdx.x] = 7;
}
int main(int argc, char **argv) {
  int *a;
  cudaMalloc(&a, 400);
  int *b = argc > 3 ? a : a + 32;
  k<<<1, 32>>>(a, b);
}
