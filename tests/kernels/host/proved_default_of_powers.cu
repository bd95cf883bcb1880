// The host returns for the widths that would put all threads on one element; LLVM makes two branches of the `switch` for it.
// launch: as-launched
#include <cstdlib>
__global__ void spread(int *out, int width) {
  int apart = width == 4 || width == 8 || width == 32 ? 0 : 1;
  out[threadIdx.x * apart] = threadIdx.x;
}
int main(int, char **argv) {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  int width = atoi(argv[1]);
  switch (width) {
  case 4: case 8: case 16: case 32: return 1;
  }
  spread<<<1, 64>>>(out, width);
}
