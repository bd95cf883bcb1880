// Each thread draws from a state of its own.
// launch: grid=2 block=64
#include <curand_kernel.h>

__global__ void k(curandState *states, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, t, 0, &states[t]);
  curandState own = states[t];
  out[t] = curand_uniform(&own) + curand_normal(&own);
  states[t] = own;
}
