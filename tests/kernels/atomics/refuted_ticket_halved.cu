// Two tickets in a row give the same slot when they are halved.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  unsigned slot = atomicAdd(counter, 1u) / 2;
  out[slot] = threadIdx.x;   // ~ HD0101
}
