// Memory of a store is written for something else after a barrier.
// launch: grid=1 block=128
#include <cub/cub.cuh>
__global__ void k(float *out, float *more, int count) {
  typedef cub::BlockStore<float, 128, 1, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ union {
    Store::TempStorage store;
    float all[256];
  } lent;
  float items[1] = {1};
  Store(lent.store).Store(out, items, count);
  __syncthreads();
  lent.all[threadIdx.x + 128] = more[threadIdx.x];
  __syncthreads();
  more[threadIdx.x] = lent.all[255 - threadIdx.x];
}
