// A second sort begins in the memory of the first, from which threads still take their keys.
// launch: grid=1 block=64
#include <cub/cub.cuh>
__global__ void k(const unsigned *in, unsigned *out) {
  typedef cub::BlockRadixSort<unsigned, 64, 2> Sort;
  __shared__ Sort::TempStorage lent;
  unsigned keys[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
  Sort(lent).Sort(keys, 0, 8);
  Sort(lent).Sort(keys, 8, 16); // ~ HD0101
  out[threadIdx.x * 2] = keys[0];
  out[threadIdx.x * 2 + 1] = keys[1];
}
