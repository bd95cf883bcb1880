// A slot of the queue is read without a fence.
// launch: grid=any block=1 passes=races
__global__ void k(int *item, volatile int *ready, unsigned *tail, unsigned *head, int *out) {
  if (blockIdx.x % 2 == 0) {
    unsigned s = atomicAdd(tail, 1);
    item[s] = blockIdx.x;   // ~ HD0102
    __threadfence();
    ready[s] = 1;
  } else {
    unsigned s = atomicAdd(head, 1);
    while (ready[s] == 0) {
    }
    out[blockIdx.x] = item[s];
  }
}
