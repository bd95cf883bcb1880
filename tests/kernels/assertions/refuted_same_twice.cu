// An assertion that holds only because the one before it ended the launch is not what fails.
// launch: grid=any block=any
#include <cassert>
__global__ void k(int *out, int n) {
  assert(n > 0); // ~ HD0601
  assert(n > 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
