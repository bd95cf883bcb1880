// Reductions over 24 lanes go through memory in a way that is not said.
// launch: grid=1 block=72
#include <cub/cub.cuh>
typedef cub::WarpReduce<int, 24> Reduce;
__global__ void k(const int *in, int *out) {
  __shared__ Reduce::TempStorage lent;
  out[threadIdx.x] = Reduce(lent).Sum(in[threadIdx.x]);  // ~ HD0001
}
