// An unsigned number that goes down is not below its start for ever.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  unsigned left = 2;
  for (int i = 0; i < n; i++) {
    heddle_invariant(left <= 2);   // ~ HD0601
    if (in[i] > 3) left--;
  }
  out[threadIdx.x] = left;
}
