// Something is said of the other member.
// launch: grid=any block=any
#include "heddle.h"
struct Places { const int *perm, *rank; int n; };
__global__ void k(float *out, Places places) {
  heddle_injective(places.rank, places.n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < places.n) out[places.perm[i] + 0 * places.rank[i]] = i;   // ~ HD0101
}
