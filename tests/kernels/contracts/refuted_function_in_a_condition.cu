// A function that a condition calls loses the promise that its sum does not overflow.
// launch: grid=1 block=32
#include "heddle.h"
__device__ bool grows(int a, int by) { return a + by > a; }
__global__ void k(int *out, int n) {
  heddle_assert(grows(n, 3));   // ~ HD0601
  out[threadIdx.x] = n;
}
