// A queue has more items than there is room for their tiles.
// launch: grid=8 block=32
__global__ void k(int *out, unsigned *head, unsigned *tail) {
  if (threadIdx.x != 0) return;
  while (true) {
    unsigned item = atomicAdd(head, 1);
    if (item >= 100000000) break;
    unsigned room = atomicAdd(tail, 4096);
    out[room + item % 4096] = item; // ~ HD0002
  }
}
