// The array is indexed after the race, and another thread may end the launch before.
// launch: grid=1 block=any passes=races
#include <cassert>
__global__ void k(const int *go, int *out) {
  __shared__ int s[16];
  assert(go[threadIdx.x]);
  out[threadIdx.x % 16] = threadIdx.x;  // ~ HD0101
  s[threadIdx.x] = 1;
}
