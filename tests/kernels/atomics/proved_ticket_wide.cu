// A counter of 64 bits, and tickets of as many.
// launch: grid=2 block=64
__global__ void k(unsigned long long *counter, int *out) {
  unsigned long long slot = atomicAdd(counter, 1ull);
  out[slot] = threadIdx.x;
}
