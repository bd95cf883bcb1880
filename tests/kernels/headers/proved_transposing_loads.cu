// Tiles are loaded and stored through lent memory, with a barrier before each use.
// launch: grid=any block=128
#include <cub/cub.cuh>
__global__ void k(const float *in, float *out, int count) {
  typedef cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  typedef cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
  } lent;
  for (int tile = blockIdx.x * 512; tile < count; tile += gridDim.x * 512) {
    float items[4] = {0};
    __syncthreads();
    Load(lent.load).Load(in + tile, items, count - tile);
    for (int n = 0; n < 4; ++n)
      items[n] *= 2;
    __syncthreads();
    Store(lent.store).Store(out + tile, items, count - tile);
  }
}
