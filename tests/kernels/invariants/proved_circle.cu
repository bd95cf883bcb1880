// Two invariants that follow from each other, one iteration on.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  int a = 0, b = 0;
  for (int i = 0; i < n; i++) {
    heddle_invariant(b == 0);
    heddle_invariant(a == 0);
    int c = in[i] > 0 ? a : b;
    b = a;
    a = c;
    out[threadIdx.x] = a;
  }
}
