// The inner loop would end by a trap, of a number that the mask leaves out.
// launch: grid=1 block=64 passes=assertions
#include "heddle.h"
__global__ void k(int *out, const int *in, int n, int m) {
  unsigned a = 4;
  for (int i = 0; i < m; i++) {
    while (n > 0) {
      out[threadIdx.x] = threadIdx.x;
      a = in[a & 63] & 15;
      if (a == 17) __trap();
    }
    if (a != 4) heddle_invariant(a != 4);
  }
}
