// The counter goes on in its upper half, and the ticket is the lower one.
// launch: grid=1 block=64
__global__ void k(unsigned long long *counter, int *out) {
  unsigned slot = (unsigned)atomicAdd(counter, 1ull << 32);
  out[slot] = threadIdx.x;   // ~ HD0101
}
