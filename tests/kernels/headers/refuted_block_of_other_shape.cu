// A reduction for blocks of one row is given four rows, whose threads have one place in each column.
// launch: grid=1 block=32,4
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockReduce<int, 128> Reduce;
  __shared__ Reduce::TempStorage lent;
  int sum = Reduce(lent).Sum(in[threadIdx.y * 32 + threadIdx.x]); // ~ HD0101
  if (threadIdx.x + threadIdx.y == 0)
    out[0] = sum;
}
