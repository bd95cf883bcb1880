// The thread without a right neighbour returns before the assertion.
// launch: grid=1 block=64
#include <cassert>
__global__ void k(int *out) {
  int right = threadIdx.x + 1;
  if (right == 64)
    return;
  assert(right < 64);
  out[threadIdx.x] = right;
}
