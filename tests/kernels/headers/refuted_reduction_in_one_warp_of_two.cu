// A reduction of 32 threads has a barrier of the block, to which the second warp does not come.
// launch: grid=1 block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockReduce<int, 32> Reduce;
  __shared__ Reduce::TempStorage lent;
  if (threadIdx.x < 32) {
    int sum = Reduce(lent).Sum(in[threadIdx.x]); // ~ HD0201
    if (threadIdx.x == 0)
      out[0] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 63)
    out[1] = out[0];
}
