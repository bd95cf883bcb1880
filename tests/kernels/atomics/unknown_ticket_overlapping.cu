// Two counters of four bytes begin two bytes apart.
// launch: grid=1 block=64
__global__ void k(char *counters, int *out) {
  unsigned *counter = (unsigned *)(counters + 2 * (threadIdx.x & 1));
  unsigned slot = atomicAdd(counter, 0x10000u) >> 16;
  if ((threadIdx.x & 1) == 0)
    out[slot] = threadIdx.x;   // ~ HD0002
}
