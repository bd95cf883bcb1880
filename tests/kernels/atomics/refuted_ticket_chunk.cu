// A ticket reserves four slots, but the thread fills five.
// launch: grid=1 block=128
__global__ void k(unsigned *counter, int *out) {
  unsigned first = atomicAdd(counter, 4u);
  for (unsigned i = 0; i < 5; i++)
    out[first + i] = threadIdx.x;   // ~ HD0101
}
