// The launch is such that the assertion holds.
// launch: grid=any block=any assume="n > 3"
#include <cassert>
__global__ void k(int *out, int n) {
  assert(n > 0);
  assert(n > 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
