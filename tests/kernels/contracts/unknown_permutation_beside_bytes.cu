// Two things are said of one array, of words and of bytes: no memory of a run is found that keeps both.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(float *out, const int *perm, int n) {
  heddle_injective(perm, n);
  heddle_range((const char *)perm, n, 0, 2);
  heddle_requires(n > 10);
  out[0] = threadIdx.x;   // ~ HD0002
}
