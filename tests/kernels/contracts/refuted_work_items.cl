// The last work-item is the one too many.
// launch: grid=4 block=64
#include "heddle.h"
__kernel void k(__global int *out, int n) {
  heddle_requires(n >= 255);
  int i = get_global_id(0);
  heddle_assert(i < n);   // ~ HD0601
  out[i] = n;
}
