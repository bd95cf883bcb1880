// No launch keeps both: that would prove anything, and is said instead.
// launch: grid=1 block=64
#include "heddle.h"
__global__ void k(int *out, int n) {
  heddle_requires(n > 3);   // ~ HD0901
  heddle_requires(n < 2);
  out[0] = threadIdx.x;
}
