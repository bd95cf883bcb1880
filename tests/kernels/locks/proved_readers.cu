// Readers share a lock, writers have it alone.
// launch: grid=any block=1 passes=races
__global__ void k(int *data, int *lock, int *out) {
  if (blockIdx.x % 4 == 0) {
    while (atomicCAS(lock, 0, -1) != 0) {}
    __threadfence();
    *data += 1;
    __threadfence();
    atomicExch(lock, 0);
  } else {
    int old;
    do { while ((old = *(volatile int *)lock) < 0) {} } while (atomicCAS(lock, old, old + 1) != old);
    __threadfence();
    out[blockIdx.x] = *data;
    __threadfence();
    atomicSub(lock, 1);
  }
}
