// Slots of a queue go by tickets, and each has a flag.
// launch: grid=any block=1 passes=races
__global__ void k(int *item, volatile int *ready, unsigned *tail, unsigned *head, int *out) {
  if (blockIdx.x % 2 == 0) {
    unsigned s = atomicAdd(tail, 1);
    item[s] = blockIdx.x;
    __threadfence();
    ready[s] = 1;
  } else {
    unsigned s = atomicAdd(head, 1);
    while (ready[s] == 0) {
    }
    __threadfence();
    out[blockIdx.x] = item[s];
  }
}
