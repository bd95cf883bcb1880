// Functions of <cmath> take integers, and what is assumed of the size of a block is kept.
// launch: grid=1 block=64
#include <curand_kernel.h>
__global__ void k(float *a, curandStateMtgp32_t *states, int n) {
  __builtin_assume(n == blockDim.x);
  for (int i = 0; i < 100; i++) a[n * i + threadIdx.x] *= sqrt(n) + floor(7u) + exp(2L);
}
void host() { srandom(3); random(); }
