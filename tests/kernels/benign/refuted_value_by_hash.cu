// A hash wraps around on purpose: the stored bits differ between threads.
// launch: grid=1 block=64
__global__ void k(unsigned *out, unsigned seed) {
  unsigned h = (threadIdx.x + seed) * 2654435761u;
  out[0] = h >> 31;   // ~ HD0101
}
