// Adding zero to the counter gives all threads the same ticket.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  unsigned slot = atomicAdd(counter, 0u);
  out[slot] = threadIdx.x;   // ~ HD0101
}
