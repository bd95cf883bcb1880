// A part of a tile is loaded through the memory of the block and stored by warps.
// run: grid=1 block=64 gives 428f 4576 6854 6b3c 2e24 510c 53ea 76ce 49ba 3c9e 5f80 6261 4550 482f 4b16 6df5 70e6 33c4 56ac 598a 3c7c 4f5a 423e 6520 680e 2af0 4dd1 50b6 739f 4686 3965 5c4c 5f34 421c 44fa 47e2 6aca 6dae 3090 5374 5660 3941 4c26 3f05 61f6 64d5 47bc 4a9a 4d8c 706a 4352 3630 591e 5c00 3ee4 51c6 44b1 6796 4a09 2560 20bd 3c14 3766 22be
#include <cub/cub.cuh>
__device__ unsigned numbers[256], stored[256];
__global__ void transpose(unsigned *out) {
  typedef cub::BlockLoad<unsigned, 64, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
  typedef cub::BlockStore<unsigned, 64, 4, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
  typedef cub::BlockExchange<unsigned, 64, 4> Exchange;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Exchange::TempStorage exchange;
  } lent;
  unsigned t = threadIdx.x, items[4];
  for (unsigned i = t; i < 256; i += 64)
    numbers[i] = i * 2654435761u >> 20;
  __syncthreads();
  Load(lent.load).Load(numbers, items, 250, 7u);
  for (int n = 0; n < 4; ++n)
    items[n] += t;
  __syncthreads();
  Exchange(lent.exchange).BlockedToWarpStriped(items);
  __syncthreads();
  Exchange(lent.exchange).WarpStripedToBlocked(items);
  __syncthreads();
  Exchange(lent.exchange).BlockedToStriped(items);
  __syncthreads();
  Exchange(lent.exchange).StripedToBlocked(items);
  __syncthreads();
  Store(lent.store).Store(stored, items);
  __syncthreads();
  out[t] = stored[t] + 2 * stored[t + 64] + 3 * stored[t + 128] + 4 * stored[t + 192];
}
