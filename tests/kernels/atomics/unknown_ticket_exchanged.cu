// The thread with ticket 40 sets the counter back while others draw.
// launch: grid=1 block=64
__global__ void k(unsigned *counter, int *out) {
  unsigned slot = atomicAdd(counter, 1u);
  if (slot == 40)
    atomicExch(counter, 0u);
  out[slot] = threadIdx.x;   // ~ HD0002
}
