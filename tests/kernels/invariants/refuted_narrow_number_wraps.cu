// Eight bits wrap around: the remainder by 64 stays, the order does not.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, const int *in, int n) {
  unsigned char at = 3;
  for (int i = 0; i < n; i++) {
    heddle_invariant(at % 64 == 3);
    heddle_invariant(at >= 3);
    heddle_invariant(at <= 195);
    heddle_invariant(at < 195);   // ~ HD0601
    if (in[i] > 3) at += 64;
  }
  out[threadIdx.x] = at;
}
