// All threads of a block draw from one state.
// launch: grid=2 block=64
#include <curand_kernel.h>

__global__ void k(curandState *states, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = curand_uniform(&states[blockIdx.x]); // ~ HD0101
}
