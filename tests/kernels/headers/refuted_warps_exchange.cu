// Two warps exchange in the memory of one.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
  typedef cub::WarpExchange<int, 2> Exchange;
  __shared__ Exchange::TempStorage lent;
  int items[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int n = 0; n < 2; ++n)
    items[n] = in[warp * 64 + lane + n * 32];
  Exchange(lent).StripedToBlocked(items); // ~ HD0101
  for (int n = 0; n < 2; ++n)
    out[blockIdx.x * 128 + threadIdx.x * 2 + n] = items[n];
}
