// Tickets are cut to a ring of 32 slots while 64 threads draw them.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  unsigned slot = atomicAdd(counter, 1u) & 31;
  out[slot] = threadIdx.x;   // ~ HD0101 HD0002
}
