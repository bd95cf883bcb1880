// A function in a condition, in a branch of a short-circuit.
// launch: grid=1 block=32
#include "heddle.h"
__device__ bool grows(int a, int by) { return a + by > a; }
__global__ void k(int *out, int n) {
  heddle_assert(n > 1000 || n < -1000 || grows(n, 3));
  out[threadIdx.x] = n;
}
