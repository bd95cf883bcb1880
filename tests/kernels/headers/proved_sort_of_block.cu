// Keys and values are sorted in lent memory, whose next use comes after a barrier.
// launch: grid=any block=64
#include <cub/cub.cuh>
__global__ void k(const unsigned *in, unsigned *out) {
  typedef cub::BlockRadixSort<unsigned, 64, 2, int> Sort;
  typedef cub::BlockLoad<unsigned, 64, 2, cub::BLOCK_LOAD_TRANSPOSE> Load;
  __shared__ union {
    Sort::TempStorage sort;
    Load::TempStorage load;
  } lent;
  unsigned keys[2];
  int values[2];
  Load(lent.load).Load(in + blockIdx.x * 128, keys);
  __syncthreads();
  for (int n = 0; n < 2; ++n)
    values[n] = threadIdx.x * 2 + n;
  Sort(lent.sort).SortBlockedToStriped(keys, values);
  for (int n = 0; n < 2; ++n)
    out[blockIdx.x * 128 + threadIdx.x + n * 64] = keys[n] + values[n];
}
