// The host gives both pointers into one buffer, so that the kernel may write its permutation.
// launch: as-launched
#include "heddle.h"
__global__ void k(int *out, const int *perm, int n) {
  heddle_injective(perm, n);   // ~ HD0002
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[perm[i]] = i;
}
int main() {
  int *buffer;
  cudaMalloc(&buffer, 4096 * sizeof(int));
  k<<<4, 64>>>(buffer, buffer + 128, 256);
}
