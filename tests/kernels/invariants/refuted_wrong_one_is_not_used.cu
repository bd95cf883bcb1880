// The invariant would keep threads apart, and is wrong from the second iteration on.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, int n) {
  int at = threadIdx.x;
  for (int i = 0; i < n; i++) {
    heddle_invariant(at == threadIdx.x);   // ~ HD0601
    out[at] = i;                           // ~ HD0101
    at = (at * 3 + 1) % 64;
  }
}
