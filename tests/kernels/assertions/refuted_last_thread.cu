// The last thread of the block has no right neighbour, as an assertion says.
// launch: grid=1 block=64
#include <cassert>
__global__ void k(int *out) {
  int right = threadIdx.x + 1;
  assert(right < 64); // ~ HD0601
  out[threadIdx.x] = right;
}
