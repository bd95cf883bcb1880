// Two reductions of one kind that are lent no memory have the same one.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  int sum = cub::BlockReduce<int, 64>().Sum(in[threadIdx.x]);
  int more = cub::BlockReduce<int, 64>().Sum(in[threadIdx.x + 64]); // ~ HD0101
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum + more;
}
