// A sort begins where threads have just taken what they loaded, and others may still take theirs.
// launch: grid=1 block=64
#include <cub/cub.cuh>
__global__ void k(const unsigned *in, unsigned *out) {
  typedef cub::BlockRadixSort<unsigned, 64, 2> Sort;
  typedef cub::BlockLoad<unsigned, 64, 2, cub::BLOCK_LOAD_TRANSPOSE> Load;
  __shared__ union {
    Sort::TempStorage sort;
    Load::TempStorage load;
  } lent;
  unsigned keys[2];
  Load(lent.load).Load(in, keys);
  Sort(lent.sort).Sort(keys); // ~ HD0101
  for (int n = 0; n < 2; ++n)
    out[threadIdx.x * 2 + n] = keys[n];
}
