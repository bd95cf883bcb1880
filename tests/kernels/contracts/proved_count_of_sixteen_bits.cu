// A permutation of more elements than a signed number of 16 bits counts, as the source has it; the first place is left alone.
// launch: grid=any block=any
#include "heddle.h"
__global__ void k(float *out, const int *perm, unsigned short n) {
  heddle_injective(perm, n);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[perm[i]] = i;
}
