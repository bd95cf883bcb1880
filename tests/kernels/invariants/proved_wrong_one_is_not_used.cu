// The same where it holds.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  int at = threadIdx.x;
  for (int i = 0; i < n; i++) {
    heddle_invariant(at % 64 == threadIdx.x);
    out[at] = i;
    at = in[i] > 0 ? at ^ 64 : at;
  }
}
