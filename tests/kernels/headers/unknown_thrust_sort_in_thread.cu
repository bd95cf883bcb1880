// What an algorithm of Thrust does in a thread is not here to see.
// launch: grid=any block=any
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

__global__ void k(int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  thrust::sort(thrust::seq, p + 4 * i, p + 4 * i + 4); // ~ HD0001
}
