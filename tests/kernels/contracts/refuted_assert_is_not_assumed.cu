// An assertion that fails proves nothing: the race behind it is found.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, int n) {
  heddle_assert(n >= 1);   // ~ HD0601
  if (n < 1)
    out[0] = threadIdx.x;   // ~ HD0101
}
