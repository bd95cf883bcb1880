// An exchange of a block whose warps take turns is not followed.
// launch: grid=1 block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockExchange<int, 64, 2, true> Exchange;
  __shared__ Exchange::TempStorage lent;
  int items[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
  Exchange(lent).BlockedToStriped(items); // ~ HD0001
  out[threadIdx.x] = items[0];
  out[threadIdx.x + 64] = items[1];
}
