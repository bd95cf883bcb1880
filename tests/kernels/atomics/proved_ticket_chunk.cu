// A ticket reserves four slots, and the thread fills exactly these.
// launch: grid=64 block=128
__global__ void k(unsigned *counter, int *out) {
  unsigned first = atomicAdd(counter, 4u);
  for (unsigned i = 0; i < 4; i++)
    out[(int)(first + i)] = i;
}
