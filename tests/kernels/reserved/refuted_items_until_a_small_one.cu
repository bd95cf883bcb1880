// Only a small result ends a thread's loop: each other thread goes on until the counter wraps around.
// launch: grid=1 block=64 passes=races
__global__ void k(int *out, unsigned *tail) {
  unsigned room;
  do {
    room = atomicAdd(tail, 1u << 22);
    out[room >> 22] = threadIdx.x; // ~ HD0101
  } while (room > 1000u);
}
