// Between the load and the store of a chunk nothing keeps the threads out of the memory that both are lent.
// launch: grid=any block=128
#include <cub/cub.cuh>
__global__ void k(const float *in, float *out, int count) {
  typedef cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  typedef cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
  } lent;
  float items[4] = {0};
  Load(lent.load).Load(in, items, count);
  Store(lent.store).Store(out + blockIdx.x * 512, items); // ~ HD0101
}
