// Counts are read after a barrier, which the last step of a histogram does not have.
// launch: grid=any block=128
#include <cub/cub.cuh>
__global__ void k(const unsigned char *in, unsigned *out) {
  typedef cub::BlockHistogram<unsigned char, 128, 4, 256, cub::BLOCK_HISTO_ATOMIC> Histogram;
  __shared__ Histogram::TempStorage lent;
  __shared__ unsigned counts[256];
  unsigned char items[4];
  for (int n = 0; n < 4; ++n)
    items[n] = in[threadIdx.x * 4 + n];
  Histogram(lent).Histogram(items, counts);
  __syncthreads();
  for (int n = threadIdx.x; n < 256; n += 128)
    out[blockIdx.x * 256 + n] = counts[n];
}
