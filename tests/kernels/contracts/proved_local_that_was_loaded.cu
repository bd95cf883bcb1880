// The value was brought into its range.
// launch: grid=1 block=32
#include "heddle.h"
__global__ void k(int *out, const int *in) {
  int at = in[threadIdx.x] & 31;
  heddle_assert(0 <= at && at < 32);
  out[threadIdx.x] = at;
}
