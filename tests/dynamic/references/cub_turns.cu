// Three warps take turns to load a part of a tile and to store it, of which the first thread says how much.
// run: grid=1 block=96 gives 1074 3803 1f93 1723 2eb3 1643 dd3 2563 1cf3 3483 1c13 13a0 2b33 12c0 3a53 21e0 1973 30ff 1893 101f 27b3 1f3f 36d3 1e5f 15f3 2d7f 1510 c9f 2430 1bbf 3350 1adf 126f 29ff 118f 391f 20af 183f 2fcf 175f eef 267f 1e0f 359c 1d2f 14bc 2c4f 13db 3b6f 22fb 1a8f 321b 19af 113b 28cf 205b 37ef 1f7b 170c 2e9b 162c dbb 254b 1cdb 346b 1bfb 138b 2b1b 12ab 3a3b 21cb 195b 30eb 1878 100b 2798 1f2b 36b7 1e4b 15d7 2d6b 14f7 c8b 2417 edc 8bf 2a4 c87 66c 4f a34 417 dfb 7df 1c3 ba7
#include <cub/cub.cuh>
__device__ unsigned numbers[192], stored[192];
__global__ void turns(unsigned *out) {
  typedef cub::BlockLoad<unsigned, 96, 2, cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED> Load;
  typedef cub::BlockStore<unsigned, 96, 2, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED> Store;
  __shared__ Load::TempStorage load;
  __shared__ Store::TempStorage store;
  unsigned t = threadIdx.x, items[2];
  for (unsigned i = t; i < 192; i += 96) {
    numbers[i] = i * 2654435761u >> 20;
    stored[i] = 5;
  }
  __syncthreads();
  Load(load).Load(numbers, items, 180, 9u);
  for (int n = 0; n < 2; ++n)
    items[n] += t;
  Store(store).Store(stored, items, t == 0 ? 180 : 7);
  __syncthreads();
  out[t] = stored[t] + 3 * stored[t + 96];
}
