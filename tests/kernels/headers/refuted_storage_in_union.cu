// The memory that a reduction is lent is also the array that other threads still read: which thread writes where is not said.
// launch: grid=1 block=64
#include <cub/cub.cuh>
typedef cub::BlockReduce<int, 64> Reduce;
__global__ void k(const int *in, int *out) {
  __shared__ union {
    Reduce::TempStorage lent;
    int own[64];
  } memory;
  memory.own[threadIdx.x] = in[threadIdx.x];  // ~ HD0101
  int x = memory.own[threadIdx.x];
  int all = Reduce(memory.lent).Sum(x);  // ~ HD0101
  if (threadIdx.x == 0)
    out[0] = all;
}
