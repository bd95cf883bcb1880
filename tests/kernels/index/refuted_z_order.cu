// Interleaving without the shift puts the bits of both coordinates on top of each other.
// launch: grid=1 block=16,16
__device__ unsigned spread(unsigned v) {
  v = (v | v << 2) & 0x33;
  return (v | v << 1) & 0x55;
}
__global__ void k(int *out) {
  out[spread(threadIdx.x) | spread(threadIdx.y)] = threadIdx.x;   // ~ HD0101
}
