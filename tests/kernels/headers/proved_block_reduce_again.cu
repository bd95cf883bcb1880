// The memory of a block-wide reduction is lent again after the block has met.
// launch: grid=1 block=64
#include <cub/cub.cuh>

__global__ void k(int *out, const int *in) {
  typedef cub::BlockReduce<int, 64> Reduce;
  __shared__ Reduce::TempStorage lent;
  int sum = Reduce(lent).Sum(in[threadIdx.x]);
  __syncthreads();
  int most = Reduce(lent).Reduce(in[threadIdx.x], cub::Max());
  if (threadIdx.x == 0)
    out[0] = sum + most;
}
