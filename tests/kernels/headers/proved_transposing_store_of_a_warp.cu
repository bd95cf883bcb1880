// A store of a whole tile that is transposed by warps needs no barrier of the block.
// launch: grid=1 block=128
#include <cub/cub.cuh>
__global__ void k(const float *in, float *out) {
  typedef cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
  __shared__ Store::TempStorage lent;
  float items[4];
  for (int n = 0; n < 4; ++n)
    items[n] = in[threadIdx.x * 4 + n];
  if (threadIdx.x < 64)
    Store(lent).Store(out, items);
  __syncthreads();
  if (threadIdx.x == 127)
    out[0] = 0;
}
