// Parts of 512 elements are 500 apart: neighbouring blocks store to the same places.
// launch: grid=any block=128
#include <cub/cub.cuh>

__global__ void k(const int *in, int *out) {
  typedef cub::BlockLoad<int, 128, 4> Load;
  typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_STRIPED> Store;
  __shared__ Load::TempStorage lent;
  __shared__ Store::TempStorage lent_too;
  int items[4];
  Load(lent).Load(in + blockIdx.x * 512, items);
  Store(lent_too).Store(out + blockIdx.x * 500, items); // ~ HD0102
}
