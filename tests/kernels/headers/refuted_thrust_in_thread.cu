// What a thread fills with Thrust reaches into the part of the next one.
// launch: grid=1 block=64
#include <thrust/execution_policy.h>
#include <thrust/fill.h>

__global__ void k(int *out) {
  thrust::fill(thrust::seq, out + 4 * threadIdx.x, out + 4 * threadIdx.x + 5, (int)threadIdx.x); // ~ HD0101
}
