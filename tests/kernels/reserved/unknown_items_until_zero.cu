// Only the first result ends a thread's loop: all others take 2^32 rooms before they see it again.
// launch: grid=1 block=64 passes=races
__global__ void k(int *out, unsigned *tail) {
  unsigned room;
  do {
    room = atomicAdd(tail, 1u);
    out[room] = threadIdx.x; // ~ HD0002
  } while (room != 0);
}
