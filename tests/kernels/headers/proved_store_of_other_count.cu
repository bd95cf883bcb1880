// Tiles are apart, however much of them the first thread is given.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(int *out) {
  typedef cub::BlockStore<int, 64, 1, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ Store::TempStorage lent;
  int items[1] = {(int)blockIdx.x};
  Store(lent).Store(out + blockIdx.x * 64, items, threadIdx.x == 0 ? 64 : 0);
}
