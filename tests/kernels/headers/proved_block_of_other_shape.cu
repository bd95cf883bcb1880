// A reduction for blocks of four rows is given four rows.
// launch: grid=1 block=32,4
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockReduce<int, 32, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4> Reduce;
  __shared__ Reduce::TempStorage lent;
  int sum = Reduce(lent).Sum(in[threadIdx.y * 32 + threadIdx.x]);
  if (threadIdx.x + threadIdx.y == 0)
    out[0] = sum;
}
