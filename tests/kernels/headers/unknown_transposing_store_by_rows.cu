// How much of a row is stored is what the first thread is given, which the block reads from lent memory: not followed.
// launch: grid=any block=128
#include <cub/cub.cuh>
__global__ void k(const float *in, float *out, int count) {
  typedef cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  typedef cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
  } lent;
  for (int chunk = 0; chunk < count; chunk += 512) {
    float items[4] = {0};
    __syncthreads();
    Load(lent.load).Load(in + chunk, items, count - chunk);
    for (int n = 0; n < 4; ++n)
      items[n] *= 2;
    __syncthreads();
    Store(lent.store).Store(out + blockIdx.x * count + chunk, items, count - chunk); // ~ HD0002
  }
}
