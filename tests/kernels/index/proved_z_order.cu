// Interleaving the bits of the two thread coordinates gives each thread a cell of its own.
// launch: grid=1 block=16,16
__device__ unsigned spread(unsigned v) {
  v = (v | v << 2) & 0x33;
  return (v | v << 1) & 0x55;
}
__global__ void k(int *out) {
  out[spread(threadIdx.x) | spread(threadIdx.y) << 1] = threadIdx.x;
}
