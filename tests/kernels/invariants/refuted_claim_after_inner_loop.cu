// A claim after an inner loop says nothing of threads that are in that loop.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n, int m) {
  unsigned a = 4;
  for (int i = 0; i < m; i++) {
    while (n > 0) {
      out[0] = threadIdx.x;  // ~ HD0101
      a = in[a & 63];
    }
    if (a != 4) heddle_invariant(a != 4);
  }
}
