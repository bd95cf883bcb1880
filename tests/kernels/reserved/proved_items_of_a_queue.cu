// Blocks take items off a queue until it is empty, and reserve a tile for each.
// launch: grid=8 block=32
__global__ void k(int *out, unsigned *head, unsigned *tail, unsigned items) {
  if (threadIdx.x != 0) return;
  while (true) {
    unsigned item = atomicAdd(head, 1);
    if (item >= items) break;
    unsigned room = atomicAdd(tail, 4096);
    out[room + item % 4096] = item;
  }
}
