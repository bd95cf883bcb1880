// The host returns for all powers but the one that puts all threads on one element.
// launch: as-launched
#include <cstdlib>
__global__ void spread(int *out, int width) {
  int apart = width == 4 || width == 8 || width == 32 ? 0 : 1;
  out[threadIdx.x * apart] = threadIdx.x;  // ~ HD0101
}
int main(int, char **argv) {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  int width = atoi(argv[1]);
  switch (width) {
  case 4: case 16: case 32: case 64: return 1;
  }
  spread<<<1, 64>>>(out, width);
}
