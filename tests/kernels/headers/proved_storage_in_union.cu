// The memory that a reduction is lent was an array before, and the block meets in between.
// launch: grid=1 block=64
#include <cub/cub.cuh>
typedef cub::BlockReduce<int, 64> Reduce;
__global__ void k(const int *in, int *out) {
  __shared__ union {
    Reduce::TempStorage lent;
    int own[64];
  } memory;
  memory.own[threadIdx.x] = in[threadIdx.x];
  int x = memory.own[threadIdx.x];
  __syncthreads();
  int all = Reduce(memory.lent).Sum(x);
  if (threadIdx.x == 0)
    out[0] = all;
}
