// The counter of a loop stays below what an assertion asks for.
// launch: grid=1 block=32 n=8
#include <cassert>
__global__ void k(int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    assert(i * 4 <= 28);
    sum += i;
  }
  out[threadIdx.x] = sum;
}
