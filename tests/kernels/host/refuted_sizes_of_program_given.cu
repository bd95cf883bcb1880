// The command line gives another size than the first one.
// launch: as-launched
#include <cstdlib>
int elements = 256;
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x; // ~ HD0102
}
int main(int argc, char **argv) {
  int *out;
  cudaMalloc(&out, 1 << 16);
  if (argc > 1) elements = atoi(argv[1]);
  k<<<16, 128>>>(out, elements);
}
