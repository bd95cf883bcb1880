// A hash of what all threads share is the same for all.
// launch: grid=1 block=64
__global__ void k(unsigned *out, unsigned seed) {
  unsigned h = (blockIdx.x + seed) * 2654435761u;
  out[0] = h >> 31;   // ~ HD0103
}
