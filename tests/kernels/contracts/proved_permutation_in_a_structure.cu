// The array and the number of its elements are members of a structure.
// launch: grid=any block=any
#include "heddle.h"
struct Places { const int *perm; int n; };
__global__ void k(float *out, Places places) {
  heddle_injective(places.perm, places.n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < places.n) out[places.perm[i]] = i;
}
