// The array is indexed before: a thread that stores has stayed in it.
// launch: grid=1 block=any passes=races
#include <cassert>
__global__ void k(const int *go, int *out) {
  __shared__ int s[16];
  assert(go[threadIdx.x]);
  s[threadIdx.x + 16 * (threadIdx.y + threadIdx.z)] = threadIdx.x;
  if (threadIdx.y == 0 && threadIdx.z == 0)
    out[threadIdx.x % 16] = threadIdx.x;
}
