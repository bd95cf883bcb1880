// One thread gives its ticket back, and another may get it again.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  unsigned slot = atomicAdd(counter, 1u);
  if (threadIdx.x == 5)
    atomicSub(counter, 1u);
  out[slot] = threadIdx.x;   // ~ HD0002
}
