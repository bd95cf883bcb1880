// What is looked up is what the kernel has written, of which nothing is said.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(float *out, int *perm, int n) {
  heddle_injective(perm, n);
  int i = threadIdx.x;
  if (i >= n) return;
  perm[i] &= 3;
  out[perm[i]] = i;   // ~ HD0101
}
