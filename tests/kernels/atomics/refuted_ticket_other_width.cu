// An addition of 64 bits takes one off the counter of 32 bits at the same place, so that tickets repeat.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  unsigned slot = atomicAdd(counter, 1u);  // ~ HD0101
  atomicAdd((unsigned long long *)counter, 0xffffffffull);
  out[slot] = threadIdx.x;
}
