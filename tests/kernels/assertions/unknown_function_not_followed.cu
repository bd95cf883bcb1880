// A function that is not followed may assert, besides the assertion of the kernel that holds.
// launch: grid=1 block=32 passes=assertions
#include <cassert>
__device__ void other(int *at);
__global__ void k(int *out) {
  assert(threadIdx.x < 32);
  other(out); // ~ HD0001
}
