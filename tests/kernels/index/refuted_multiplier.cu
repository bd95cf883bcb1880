// A product with an even number sends two halves of the block to the same indices.
// launch: grid=1 block=64
__global__ void k(int *out) {
  unsigned t = threadIdx.x;
  out[t * 6 % 64] = t;   // ~ HD0101
}
