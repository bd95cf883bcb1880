// As in CUDA.
#include "heddle.h"
HEDDLE_LAUNCH(1, 64) HEDDLE_ASSUME(n >= 64 && n < 1000)
__kernel void k(__global int *out, int n) {
  int t = get_local_id(0);
  out[t] = 1;
  out[t + n] = 2;
}
