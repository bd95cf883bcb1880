// The first thread is given half of the tile, which counts for all: what it tells the block is not followed.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(int *out) {
  typedef cub::BlockStore<int, 64, 1, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ Store::TempStorage lent;
  int items[1] = {(int)blockIdx.x};
  Store(lent).Store(out + blockIdx.x * 32, items, threadIdx.x == 0 ? 32 : 64); // ~ HD0002
}
