// A store of a part of a tile tells the block how much it is: half of the block does not come.
// launch: grid=1 block=128
#include <cub/cub.cuh>
__global__ void k(const float *in, float *out, int count) {
  typedef cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
  __shared__ Store::TempStorage lent;
  float items[4];
  for (int n = 0; n < 4; ++n)
    items[n] = in[threadIdx.x * 4 + n];
  if (threadIdx.x < 64)
    Store(lent).Store(out, items, count); // ~ HD0201
  __syncthreads();
  if (threadIdx.x == 127)
    out[0] = 0;
}
