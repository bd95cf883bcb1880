// Each warp loads, sorts and stores in memory of its own.
// run: grid=1 block=64 gives 81a 350850 8d08a8 c208ff 11a0935 150098c 17109c2 1a709e3 1fe0a19 2340a70 28b0aa6 2e20afd 3180b33 36f0b54 3a50b8a 3c60be1 3fc0c17 4540c6e 4890cc6 4e10cfc 5160d53 5380d89 56e0daa 5c50de0 5fb0e37 6520e6d 6a90ec4 6df0efa 7360f1b 76c0f51 78d0fa8 7c30fde 1407f9 4a082f 6b0886 a108bc f808dd 12e0913 185096a 1dd09a0 21209f8 26a0a2d 2a00a4f 2c10a85 2f70adc 34e0b12 3840b69 3db0bc0 4110bf6 4320c4d 4680c83 4bf0ca4 4f50cda 54c0d31 5a40d67 5d90dbe 6310df4 6660e16 6880e4c 6be0ea3 7150ed9 74b0f30 7a20f87 7d80fbd
#include <cub/cub.cuh>
__device__ unsigned numbers[128], stored[128];
__global__ void warps(unsigned *out) {
  typedef cub::WarpLoad<unsigned, 2, cub::WARP_LOAD_TRANSPOSE> Load;
  typedef cub::WarpStore<unsigned, 2, cub::WARP_STORE_TRANSPOSE> Store;
  typedef cub::WarpMergeSort<unsigned, 2> Sort;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Sort::TempStorage sort;
  } lent[2];
  unsigned t = threadIdx.x, warp = t / 32, lane = t % 32, items[2];
  numbers[t] = t * 2654435761u >> 20;
  numbers[t + 64] = (t + 64) * 2654435761u >> 20;
  __syncthreads();
  Load(lent[warp].load).Load(numbers + warp * 64, items);
  __syncwarp();
  Sort(lent[warp].sort).Sort(items, [](unsigned a, unsigned b) { return a < b; });
  __syncwarp();
  Store(lent[warp].store).Store(stored + warp * 64, items);
  __syncwarp();
  out[t] = stored[warp * 64 + lane] << 16 | stored[warp * 64 + lane + 32];
}
