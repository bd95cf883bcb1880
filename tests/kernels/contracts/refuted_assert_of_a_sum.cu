// A sum in a condition wraps around as on the machine: nothing of it is left out as undefined.
// launch: grid=1 block=32
#include "heddle.h"
__global__ void k(int *out, int n) {
  heddle_assert(n + 1 > n);   // ~ HD0601
  out[threadIdx.x] = n;
}
