// The memory of an exchange is lent again while other threads still read their items there.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::BlockExchange<int, 64, 4> Exchange;
  __shared__ Exchange::TempStorage lent;
  int items[4], blocked[4];
  for (int n = 0; n < 4; ++n)
    items[n] = in[blockIdx.x * 256 + threadIdx.x + n * 64];
  Exchange(lent).StripedToBlocked(items, blocked);
  Exchange(lent).BlockedToStriped(blocked); // ~ HD0101
  for (int n = 0; n < 4; ++n)
    out[blockIdx.x * 256 + threadIdx.x + n * 64] = blocked[n];
}
