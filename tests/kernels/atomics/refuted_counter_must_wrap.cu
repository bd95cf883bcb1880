// Sixteen additions fill the counter, and sixty-four threads add: no run keeps it from wrapping around.
// launch: grid=1 block=64
__global__ void k(int *out, unsigned *count) {
  unsigned at = atomicAdd(count, 0x10000000u);
  out[at >> 28] = threadIdx.x; // ~ HD0101
}
