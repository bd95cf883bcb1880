// Threads store at places that they draw: nobody knows that these differ.
// launch: grid=1 block=64
#include <curand_kernel.h>

__global__ void k(float *out) {
  curandState own;
  curand_init(1234, threadIdx.x, 0, &own);
  out[curand(&own)] = threadIdx.x; // ~ HD0002
}
