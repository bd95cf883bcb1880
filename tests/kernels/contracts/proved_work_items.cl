// Contracts in OpenCL C.
// launch: grid=4 block=64
#include "heddle.h"
__kernel void k(__global int *out, int n) {
  heddle_requires(n >= 256);
  int i = get_global_id(0);
  heddle_assert(i < n);
  out[i] = n;
}
