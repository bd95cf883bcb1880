// A sum of two numbers of the permutation is none.
// launch: grid=any block=any
#include "heddle.h"
__kernel void k(__global float *out, __constant ushort *perm, int n) {
  heddle_injective(perm, n);
  int i = get_global_id(0);
  if (i < n - 1) out[perm[i] + perm[i + 1]] = i;   // ~ HD0101
}
