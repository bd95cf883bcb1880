// Volatile reads may give something else than what the array held at the start.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(float *out, const volatile int *perm, int n) {
  heddle_injective(perm, n);
  int i = threadIdx.x;
  if (i < n) out[perm[i]] = i;   // ~ HD0002
}
