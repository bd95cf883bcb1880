// A function that a library calls back sets the size.
// launch: as-launched
#include <cstdlib>
int elements = 256;
static int compare(const void *, const void *) { return elements = 64; }
__global__ void k(int *out, int n) {
  out[blockIdx.x * n + threadIdx.x] = blockIdx.x; // ~ HD0102
}
int main() {
  int *out, list[2] = {2, 1};
  cudaMalloc(&out, 1 << 16);
  qsort(list, 2, sizeof(int), compare);
  k<<<16, 128>>>(out, elements);
}
