// A condition over a value that the program has loaded.
// launch: grid=1 block=32
#include "heddle.h"
__global__ void k(int *out, const int *in) {
  int at = in[threadIdx.x];
  heddle_assert(0 <= at && at < 32);   // ~ HD0601
  out[threadIdx.x] = at;
}
