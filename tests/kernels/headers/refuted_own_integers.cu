// Elements have the size that the source's own name of an integer says, not the one that the name suggests.
// launch: grid=1 block=64
typedef unsigned short uint64_t;
__global__ void k(uint64_t *out) {
  unsigned *words = (unsigned *)out;
  out[2 * threadIdx.x + 2] = 1; // ~ HD0101
  words[threadIdx.x] = 2;
}
